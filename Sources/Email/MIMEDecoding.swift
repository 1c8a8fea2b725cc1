import FoundationEssentials
import Web

/// Decodes text in the charsets of mails.
enum Charset {
    /// Unknown charsets, and bytes that are invalid in theirs, are read as UTF-8 or else as
    /// Windows-1252, in which every byte has a meaning.
    static func decode(_ bytes: [UInt8], _ charset: String?) -> String {
        switch charset?.lowercased().whitespaceCollapsed {
        case "iso-8859-1", "iso8859-1", "latin1", "l1", "windows-1252", "cp1252":
            // Mail programs label Windows-1252 as ISO-8859-1 (WHATWG Encoding, 4.2).
            return windows1252(bytes)
        case "iso-8859-15", "latin-9": return windows1252(bytes, euro: 0xA4)
        case "utf-16", "utf-16le", "utf-16be":
            let isBig = charset?.lowercased() == "utf-16be" || bytes.starts(with: [0xFE, 0xFF])
            var units = stride(from: 0, to: bytes.count - 1, by: 2).map { index -> UInt16 in
                let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
                return isBig ? first << 8 | second : second << 8 | first
            }
            if units.first == 0xFEFF { units.removeFirst() }
            return String(decoding: units, as: UTF16.self)
        default: return String(validating: bytes, as: UTF8.self) ?? windows1252(bytes)
        }
    }

    private static func windows1252(_ bytes: [UInt8], euro: UInt8 = 0x80) -> String {
        var text = String.UnicodeScalarView()
        for byte in bytes {
            let value: UInt16 =
                byte == euro
                ? 0x20AC : (0x80...0x9F).contains(byte) ? upper[Int(byte) - 0x80] : UInt16(byte)
            text.append(Unicode.Scalar(value) ?? "\u{FFFD}")
        }
        return String(text)
    }

    /// 0x80 to 0x9F (WHATWG Encoding, index windows-1252).
    private static let upper: [UInt16] = [
        0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
        0x2039, 0x0152, 0x8D, 0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013,
        0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D, 0x017E, 0x0178,
    ]
}

/// Quoted-printable (RFC 2045, 6.7).
enum QuotedPrintable {
    /// An invalid escape stays as it is.
    static func decode(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count)
        var rest = bytes
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "=") else {
                out.append(byte)
                continue
            }
            if let high = rest.first?.hexDigitValue, let low = rest.dropFirst().first?.hexDigitValue
            {
                out.append(high << 4 | low)
                rest = rest.dropFirst(2)
                continue
            }
            // A soft line break, after which spaces may have been added in transport.
            let afterBlanks = rest.drop(while: \.isBlank)
            let afterReturn = afterBlanks.first == 0x0D ? afterBlanks.dropFirst() : afterBlanks
            if afterReturn.first == 0x0A {
                rest = afterReturn.dropFirst()
            } else if !afterReturn.isEmpty {
                out.append(byte)
            }
        }
        return out
    }
}

/// Encoded words in header fields: `=?utf-8?Q?C=C3=B3digo?=` (RFC 2047).
enum EncodedWord {
    static func decode(_ text: String) -> String {
        guard text.contains("=?") else { return text }
        var out = ""
        // Words with the same charset are joined before they are decoded: some mailers split a
        // character between two.
        var pending: (charset: String, bytes: [UInt8])?
        var blanks = ""
        func flush() {
            if let word = pending { out += Charset.decode(word.bytes, word.charset) }
            pending = nil
            out += blanks
            blanks = ""
        }
        for piece in pieces(text) {
            if let (charset, bytes) = word(piece) {
                // Blanks between two words are ignored (RFC 2047, 6.2).
                if pending != nil { blanks = "" }
                if let word = pending, word.charset == charset {
                    pending = (charset, word.bytes + bytes)
                } else {
                    flush()
                    pending = (charset, bytes)
                }
            } else if pending != nil, piece.allSatisfy({ $0 == " " || $0 == "\t" }) {
                blanks += piece
            } else {
                flush()
                out += piece
            }
        }
        flush()
        return out
    }

    /// Encoded words, and what is between them.
    private static func pieces(_ text: String) -> [Substring] {
        var pieces: [Substring] = []
        var rest = text[...]
        while let start = rest.firstRange(of: "=?") {
            // The encoded text follows the second of three question marks.
            let marks = rest[start.upperBound...].indices.lazy.filter { rest[$0] == "?" }.prefix(3)
            let positions = Array(marks)
            guard positions.count == 3,
                let end = rest.index(positions[2], offsetBy: 1, limitedBy: rest.endIndex),
                end < rest.endIndex, rest[end] == "="
            else {
                // No word begins here.
                pieces.append(rest[..<start.upperBound])
                rest = rest[start.upperBound...]
                continue
            }
            let wordEnd = rest.index(after: end)
            if rest.startIndex < start.lowerBound { pieces.append(rest[..<start.lowerBound]) }
            pieces.append(rest[start.lowerBound..<wordEnd])
            rest = rest[wordEnd...]
        }
        return rest.isEmpty ? pieces : pieces + [rest]
    }

    private static func word(_ piece: Substring) -> (charset: String, bytes: [UInt8])? {
        let parts = piece.split(separator: "?", omittingEmptySubsequences: false)
        guard parts.count == 5, parts[0] == "=", parts[4] == "=" else { return nil }
        // RFC 2231 adds a language: `utf-8*en`.
        let charset = parts[1].prefix { $0 != "*" }.lowercased()
        switch parts[2].lowercased() {
        case "b":
            let padding = String(repeating: "=", count: (4 - parts[3].utf8.count % 4) % 4)
            return Data(base64Encoded: parts[3] + padding).map { (charset, Array($0)) }
        case "q":
            let spaced = Array(parts[3].utf8).map { $0 == UInt8(ascii: "_") ? 0x20 : $0 }
            return (charset, QuotedPrintable.decode(spaced[...]))
        default: return nil
        }
    }
}
