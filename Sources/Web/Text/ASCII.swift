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

    /// Whether it may occur in an HTTP token.
    package var isHTTPTokenByte: Bool {
        isLetter || isDigit || self == UInt8(ascii: "-") || "!#$%&'*+.^_`|~".utf8.contains(self)
    }
}

extension String {
    /// Whether it is an HTTP token, the syntax of methods and field names (RFC 9110, 5.6.2).
    package var isHTTPToken: Bool { !isEmpty && utf8.allSatisfy(\.isHTTPTokenByte) }

    /// Whether the text is not blank and has no letter and no digit: a full-text search, whose
    /// terms are letters and digits, cannot match it.
    package var isSymbolsOnly: Bool {
        contains { !$0.isWhitespace } && !contains { $0.isLetter || $0.isNumber }
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
