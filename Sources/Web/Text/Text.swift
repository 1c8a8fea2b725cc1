import Glibc

/// Classes of ASCII characters.
extension UInt8 {
    package var isDigit: Bool { (0x30...0x39).contains(self) }

    package var isLetter: Bool { (0x61...0x7A).contains(self | 0x20) }

    /// A space or a tab (RFC 9110, 5.6.3).
    package var isBlank: Bool { self == 0x20 || self == 0x09 }

    /// The value of a hexadecimal digit; nil for any other character.
    package var hexDigitValue: UInt8? {
        if isDigit { return self - 0x30 }
        let lowercased = self | 0x20
        return (0x61...0x66).contains(lowercased) ? lowercased - 0x57 : nil
    }
}

extension String {
    /// Whether it is an HTTP token, the syntax of methods and field names (RFC 9110, 5.6.2).
    package var isHTTPToken: Bool {
        !isEmpty
            && utf8.allSatisfy { $0.isLetter || $0.isDigit || "-!#$%&'*+.^_`|~".utf8.contains($0) }
    }

    /// Whether a header field may not have this value (RFC 9110, 5.5). Examines all bytes: without
    /// an exit, many are compared at a time.
    package var containsControlCharacter: Bool {
        let bytes = utf8.span
        var found: UInt8 = 0
        for index in bytes.indices {
            let byte = bytes[index]
            found |= (byte < 0x20 && byte != 0x09 ? 1 : 0) | (byte == 0x7F ? 1 : 0)
        }
        return found != 0
    }

    /// Whether the text is not blank and has no letter and no digit: a full-text search, whose
    /// terms are letters and digits, cannot match it.
    package var isSymbolsOnly: Bool {
        contains { !$0.isWhitespace } && !contains { $0.isLetter || $0.isNumber }
    }

    /// Nil if empty: an empty field of a form or query counts as absent.
    package var nonEmpty: String? { isEmpty ? nil : self }

    /// A base URL or a path that another path can be appended to.
    package var withoutTrailingSlashes: String {
        var text = self
        while text.utf8.last == UInt8(ascii: "/") { text.removeLast() }
        return text
    }

    /// The beginning, if longer than `limit` characters.
    package func truncated(to limit: Int) -> String {
        count > limit ? prefix(limit - 1) + "…" : self
    }

    /// `debug` as `Debug`.
    package var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }

    /// With every run of white space replaced by one space, and trimmed.
    package var whitespaceCollapsed: String {
        split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}

extension Substring {
    /// Without blanks at either end. Compares bytes: comparing characters costs ten times as much.
    package var trimmingBlanks: Substring {
        var bytes = utf8.drop(while: \.isBlank)
        while bytes.last?.isBlank == true { bytes.removeLast() }
        return Substring(bytes)
    }
}

extension Int {
    /// The value rounded toward zero and clamped to the range of `Int`; 0 for NaN.
    ///
    /// Used for numbers from outside, with which `Int(_:)` would trap.
    package init(clamping value: Double) {
        if value.isNaN {
            self = 0
        } else {
            self = Int(exactly: value.rounded(.towardZero)) ?? (value < 0 ? .min : .max)
        }
    }
}

extension Double {
    /// `0.02`, `171.20`: always two decimals, clamped to the range of `Int` hundredths.
    package var twoDecimals: String {
        let hundredths = Int(clamping: (self * 100).rounded())
        let fraction = (hundredths % 100).magnitude
        let sign = hundredths < 0 ? "-" : ""
        return "\(sign)\((hundredths / 100).magnitude).\(fraction < 10 ? "0" : "")\(fraction)"
    }
}

/// Searches and replaces byte strings.
package enum ByteSearch {
    /// Returns `haystack` with every `needle` replaced.
    package static func replace(_ needle: [UInt8], with replacement: [UInt8], in haystack: [UInt8])
        -> [UInt8]
    {
        guard let first = firstIndex(of: needle, in: haystack[...]) else { return haystack }
        var out: [UInt8] = []
        out.reserveCapacity(haystack.count)
        var remaining = haystack[...]
        var next: Int? = first
        while let index = next {
            out += remaining[..<index]
            out += replacement
            remaining = remaining[(index + needle.count)...]
            next = Self.firstIndex(of: needle, in: remaining)
        }
        out += remaining
        return out
    }

    /// The index of the first occurrence of `needle`.
    package static func firstIndex(of needle: [UInt8], in slice: ArraySlice<UInt8>) -> Int? {
        guard let tail = needle.last else { return nil }
        let last = needle.count - 1
        let hay = slice.span
        let pattern = needle.span
        var position = last
        while let index = index(of: tail, in: slice, from: position) {
            let start = index - last
            var matched = 0
            while matched < last, hay[start + matched] == pattern[matched] { matched += 1 }
            if matched == last { return slice.startIndex + start }
            position = index + 1
        }
        return nil
    }

    /// The offset of the next `byte` from `position` on. `memchr` compares many bytes at a time.
    private static func index(of byte: UInt8, in slice: ArraySlice<UInt8>, from position: Int)
        -> Int?
    {
        unsafe slice.withUnsafeBytes { bytes in
            guard position < bytes.count, let start = bytes.baseAddress,
                let found = unsafe memchr(start + position, Int32(byte), bytes.count - position)
            else { return nil }
            return unsafe UnsafeRawPointer(found) - start
        }
    }
}
