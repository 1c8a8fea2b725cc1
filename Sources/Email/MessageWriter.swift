import FoundationEssentials

/// Writes a mail as an Internet message (RFC 5322) with MIME parts (RFC 2045).
package enum MessageWriter {
    /// The message with a plain text and, unless `html` is empty, the same as HTML.
    ///
    /// `headers` are without MIME's own fields, which are written for the bodies.
    package static func message(
        headers: [(name: String, value: String)], text: String, html: String
    ) -> [UInt8] {
        let mimeFields = ["mime-version", "content-type", "content-transfer-encoding"]
        var lines = headers.filter { !mimeFields.contains($0.name.lowercased()) }.map {
            field($0.name, $0.value)
        }
        lines.append("MIME-Version: 1.0")
        if html.isEmpty {
            lines += part("plain", text)
        } else {
            lines += ["Content-Type: multipart/alternative; boundary=\"\(boundary)\"", ""]
            for (kind, body) in [("plain", text), ("html", html)] {
                lines += ["--\(boundary)"] + part(kind, body)
            }
            lines += ["--\(boundary)--", ""]
        }
        return Array(lines.joined(separator: "\r\n").utf8)
    }

    /// "=_" occurs in no quoted-printable body (RFC 2045, 6.7).
    private static let boundary = "=_alternative"

    private static func part(_ kind: String, _ body: String) -> [String] {
        [
            "Content-Type: text/\(kind); charset=utf-8",
            "Content-Transfer-Encoding: quoted-printable", "", quotedPrintable(body),
        ]
    }

    // MARK: Header fields

    /// A field on one or more lines: a line has at most 78 characters, if it has spaces.
    static func field(_ name: String, _ value: String) -> String {
        // A line break in a value would begin another field.
        let safe = String(value.map { $0.isNewline || $0 == "\0" ? " " : $0 })
        var lines = [name + ":"]
        for word in words(safe) {
            if lines[lines.count - 1].utf8.count + 1 + word.utf8.count > 78,
                lines[lines.count - 1].contains(where: { $0 != " " }), lines.last != name + ":"
            {
                lines.append("")
            }
            lines[lines.count - 1] += " " + word
        }
        return lines.joined(separator: "\r\n")
    }

    /// The words of a value. An address stays as it is; text that is not ASCII becomes encoded
    /// words (RFC 2047).
    private static func words(_ value: String) -> [String] {
        guard !value.utf8.allSatisfy({ (0x20..<0x7F).contains($0) || $0 == 0x09 }) else {
            return value.split(separator: " ").map(String.init)
        }
        let address = value.hasSuffix(">") ? value.lastIndex(of: "<") : nil
        let text = value[..<(address ?? value.endIndex)].trimmingPrefix { $0 == " " }
        let phrase = address == nil ? String(text) : String(text).trimmingQuotes
        return encodedWords(phrase) + (address.map { [String(value[$0...])] } ?? [])
    }

    /// Base64 words of at most 75 characters, each of whole characters.
    private static func encodedWords(_ text: String) -> [String] {
        var chunks: [[UInt8]] = [[]]
        for scalar in text.unicodeScalars {
            let bytes = Array(String(scalar).utf8)
            if chunks[chunks.count - 1].count + bytes.count > 45 { chunks.append([]) }
            chunks[chunks.count - 1] += bytes
        }
        return chunks.map { "=?utf-8?B?" + Data($0).base64EncodedString() + "?=" }
    }

    // MARK: Bodies

    /// RFC 2045, 6.7: lines of at most 76 characters; a line break of the text is one of the body.
    static func quotedPrintable(_ text: String) -> String {
        var lines: [String] = []
        for line in normalizedLines(text) {
            var current = ""
            let bytes = Array(line)
            for (index, byte) in bytes.enumerated() {
                let isLast = index == bytes.count - 1
                let isPlain =
                    (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "=")
                    || (byte == 0x20 || byte == 0x09) && !isLast
                // A dot alone would end the message for SMTP, "From " begins one in an mbox file.
                let isSafe = isPlain && !(current.isEmpty && byte == UInt8(ascii: "."))
                let encoded = isSafe ? String(Unicode.Scalar(byte)) : "=" + hex(byte)
                if current.utf8.count + encoded.utf8.count > (isLast ? 76 : 75) {
                    lines.append(current + "=")
                    current = ""
                }
                current += encoded
            }
            lines.append(current)
        }
        return lines.joined(separator: "\r\n")
    }

    private static func normalizedLines(_ text: String) -> [ArraySlice<UInt8>] {
        let bytes = Array(text.replacing("\r\n", with: "\n").utf8)
        return bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    }

    private static func hex(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return byte < 16 ? "0" + digits : digits
    }
}

extension String {
    /// Without the quotation marks of a quoted phrase, and without spaces around it.
    fileprivate var trimmingQuotes: String {
        var text = self[...]
        while text.last == " " { text.removeLast() }
        guard text.count > 1, text.first == "\"", text.last == "\"" else { return String(text) }
        return String(text.dropFirst().dropLast())
    }
}
