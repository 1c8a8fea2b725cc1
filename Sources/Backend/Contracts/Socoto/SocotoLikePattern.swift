/// SQL's LIKE: `%` is any text, `_` any one character.
///
/// A pattern comes from a client and is asked of every row, so what it costs
/// grows with its length and the text's and never with their product: each
/// part between two `%` is searched for with a bit for each of its characters
/// (Baeza-Yates and Gonnet's shift-and), and the first place it is found at
/// is as good as any later one.
struct SocotoLikePattern: Sendable {
    /// What stands before the first `%`, between them, and after the last;
    /// one part alone is the whole text.
    private let segments: [Segment]

    init(_ pattern: String) {
        segments = pattern.unicodeScalars.split(separator: "%", omittingEmptySubsequences: false)
            .map {
                Segment(Array($0))
            }
    }

    func matches(_ text: String) -> Bool {
        let text = Array(text.unicodeScalars)[...]
        guard let first = segments.first, let last = segments.last else { return false }
        guard segments.count > 1 else {
            return first.count == text.count && first.isPrefix(of: text)
        }
        guard first.count + last.count <= text.count, first.isPrefix(of: text),
            last.isPrefix(of: text.suffix(last.count))
        else { return false }
        var rest = text.dropFirst(first.count).dropLast(last.count)
        for part in segments.dropFirst().dropLast() {
            guard let end = part.endOfFirstMatch(in: rest) else { return false }
            rest = rest[end...]
        }
        return true
    }

    /// Characters that stand together, `_` for any.
    private struct Segment: Sendable {
        private let scalars: [Unicode.Scalar]
        /// For each character the places it may stand at, 64 to a word.
        private let positionMasks: [Unicode.Scalar: [UInt64]]
        /// The places of `_`, where every other character may stand.
        private let wildcardMask: [UInt64]

        var count: Int { scalars.count }

        init(_ scalars: [Unicode.Scalar]) {
            self.scalars = scalars
            var anywhere = [UInt64](repeating: 0, count: (scalars.count + 63) / 64)
            for (place, scalar) in scalars.enumerated() where scalar == "_" {
                anywhere[place / 64] |= 1 << UInt64(place % 64)
            }
            var places: [Unicode.Scalar: [UInt64]] = [:]
            for (place, scalar) in scalars.enumerated() {
                places[scalar, default: anywhere][place / 64] |= 1 << UInt64(place % 64)
            }
            self.positionMasks = places
            self.wildcardMask = anywhere
        }

        func isPrefix(of text: ArraySlice<Unicode.Scalar>) -> Bool {
            text.count >= count && zip(scalars, text).allSatisfy { $0 == "_" || $0 == $1 }
        }

        /// Where its first occurrence ends.
        func endOfFirstMatch(in text: ArraySlice<Unicode.Scalar>) -> Int? {
            guard count > 0 else { return text.startIndex }
            guard count <= text.count else { return nil }
            // A bit is set where what was read last ends a beginning of ours.
            var found = [UInt64](repeating: 0, count: wildcardMask.count)
            let last = 1 << UInt64((count - 1) % 64) as UInt64
            for (index, scalar) in zip(text.indices, text) {
                let mask = positionMasks[scalar] ?? wildcardMask
                var carried: UInt64 = 1
                for word in found.indices {
                    let bits = found[word]
                    found[word] = (bits << 1 | carried) & mask[word]
                    carried = bits >> 63
                }
                if found[found.count - 1] & last != 0 { return index + 1 }
            }
            return nil
        }
    }
}
