/// Matches SQL's LIKE: `%` is any text, `_` any one character, and a backslash escapes either.
///
/// A pattern comes from a client and is matched against every row, so its cost grows with its
/// length and the text's, never with their product: each part between two `%` is searched with one
/// bit per character (Baeza-Yates and Gonnet's shift-and). The first match of a part is as good as
/// any later one.
struct LikePattern: Sendable {
    /// The parts before the first `%`, between two, and after the last. A single part must match
    /// the entire text.
    private let segments: [Segment]

    init(_ pattern: String) throws(RestFailure) {
        var parts: [[Unicode.Scalar?]] = [[]]
        var scalars = pattern.unicodeScalars[...]
        while let scalar = scalars.popFirst() {
            switch scalar {
            case "%": parts.append([])
            case "_": parts[parts.count - 1].append(nil)
            case "\\":
                guard let escaped = scalars.popFirst() else { throw .patternEndsWithEscape }
                parts[parts.count - 1].append(escaped)
            default: parts[parts.count - 1].append(scalar)
            }
        }
        segments = parts.map(Segment.init)
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
        var remaining = text.dropFirst(first.count).dropLast(last.count)
        for part in segments.dropFirst().dropLast() {
            guard let end = part.endOfFirstMatch(in: remaining) else { return false }
            remaining = remaining[end...]
        }
        return true
    }

    /// Consecutive characters; nil matches any.
    private struct Segment: Sendable {
        private let scalars: [Unicode.Scalar?]
        /// For each character the positions it may have, 64 to a word.
        private let positionMasks: [Unicode.Scalar: [UInt64]]
        /// The positions where every other character may be.
        private let wildcardMask: [UInt64]

        var count: Int { scalars.count }

        init(_ scalars: [Unicode.Scalar?]) {
            self.scalars = scalars
            var wildcards = [UInt64](repeating: 0, count: (scalars.count + 63) / 64)
            for (position, scalar) in scalars.enumerated() where scalar == nil {
                wildcards[position / 64] |= 1 << UInt64(position % 64)
            }
            var masks: [Unicode.Scalar: [UInt64]] = [:]
            for (position, scalar) in scalars.enumerated() {
                guard let scalar else { continue }
                masks[scalar, default: wildcards][position / 64] |= 1 << UInt64(position % 64)
            }
            self.positionMasks = masks
            self.wildcardMask = wildcards
        }

        func isPrefix(of text: ArraySlice<Unicode.Scalar>) -> Bool {
            text.count >= count && zip(scalars, text).allSatisfy { $0 == nil || $0 == $1 }
        }

        /// The index after the first match.
        func endOfFirstMatch(in text: ArraySlice<Unicode.Scalar>) -> Int? {
            guard count > 0 else { return text.startIndex }
            guard count <= text.count else { return nil }
            // A set bit means that the text read so far ends with that many characters of this
            // part.
            var state = [UInt64](repeating: 0, count: wildcardMask.count)
            let last = 1 << UInt64((count - 1) % 64) as UInt64
            for (index, scalar) in zip(text.indices, text) {
                let mask = positionMasks[scalar] ?? wildcardMask
                var carry: UInt64 = 1
                for word in state.indices {
                    let bits = state[word]
                    state[word] = (bits << 1 | carry) & mask[word]
                    carry = bits >> 63
                }
                if state[state.count - 1] & last != 0 { return index + 1 }
            }
            return nil
        }
    }
}
