import FoundationEssentials
import Web

/// An Internet message (RFC 5322) with its MIME parts (RFC 2045, 2046), read leniently: malformed
/// input becomes text, and is never lost.
package struct MIMEMessage: Sendable {
    /// Decoded and unfolded, in order.
    package let headers: [(name: String, value: String)]
    /// The plain text; of several parts, all.
    package private(set) var text = ""
    package private(set) var html = ""
    /// Files, and images that the HTML shows.
    package private(set) var attachments: [Attachment] = []
    private var partCount = 0

    /// A part that is a file.
    package struct Attachment: Sendable, Equatable {
        package let name: String
        package let mediaType: String
        /// The `cid` by which the HTML refers to it; nil for none.
        package let contentID: String?
        package let bytes: [UInt8]
    }

    /// Bounds of hostile messages: parts beyond them are read as text.
    private static let maxDepth = 16
    private static let maxPartCount = 500

    package init(_ bytes: [UInt8]) {
        let (headers, body) = Self.split(bytes[...])
        self.headers = headers.map { ($0.name, EncodedWord.decode($0.value)) }
        read(headers, body, depth: 0)
    }

    /// The value of the first field with this name, in any case.
    package func header(_ name: String) -> String? { Self.value(of: name, in: headers) }

    private typealias Fields = [(name: String, value: String)]

    private static func value(of name: String, in fields: Fields) -> String? {
        fields.first { $0.name.lowercased() == name }?.value
    }

    // MARK: Parts

    private mutating func read(_ headers: Fields, _ body: ArraySlice<UInt8>, depth: Int) {
        partCount += 1
        let type = ParameterizedValue(Self.value(of: "content-type", in: headers) ?? "text/plain")
        let disposition = ParameterizedValue(
            Self.value(of: "content-disposition", in: headers) ?? "")
        if type.value.hasPrefix("multipart/"), depth < Self.maxDepth,
            let boundary = type.parameters["boundary"], !boundary.isEmpty
        {
            let parts = Self.parts(of: body, boundary)
            if !parts.isEmpty {
                for part in parts where partCount < Self.maxPartCount {
                    let (fields, content) = Self.split(part)
                    read(fields, content, depth: depth + 1)
                }
                return
            }
        }
        let encoding = Self.value(of: "content-transfer-encoding", in: headers)?.lowercased()
            .whitespaceCollapsed
        let bytes =
            switch encoding {
            case "base64": Self.base64(body)
            case "quoted-printable": QuotedPrintable.decode(body)
            default: Array(body)
            }
        let name = (disposition.parameters["filename"] ?? type.parameters["name"]).map(
            EncodedWord.decode)
        let isFile = disposition.value == "attachment" || name != nil
        let isText = type.value.hasPrefix("text/") || type.value.hasPrefix("multipart/")
        if isText, !isFile {
            let decoded = Charset.decode(bytes, type.parameters["charset"]).replacing(
                "\r\n", with: "\n")
            if type.value == "text/html" { html += decoded } else { text += decoded }
            return
        }
        attachments.append(
            Attachment(
                name: name?.nonEmpty ?? (type.value == "message/rfc822" ? "message.eml" : "file"),
                mediaType: type.value,
                contentID: Self.value(of: "content-id", in: headers)?.whitespaceCollapsed.filter {
                    $0 != "<" && $0 != ">"
                }, bytes: bytes))
    }

    /// The parts between the lines `--boundary`; the last one may lack its end.
    private static func parts(of body: ArraySlice<UInt8>, _ boundary: String) -> [ArraySlice<UInt8>]
    {
        let delimiter = Array("--\(boundary)".utf8)
        var parts: [ArraySlice<UInt8>] = []
        var start: Int?
        var lineStart = body.startIndex
        while lineStart < body.endIndex {
            let lineEnd = body[lineStart...].firstIndex(of: 0x0A).map { $0 + 1 } ?? body.endIndex
            let line = body[lineStart..<lineEnd]
            if line.starts(with: delimiter) {
                let rest = line.dropFirst(delimiter.count)
                let isEnd = rest.starts(with: [0x2D, 0x2D])
                if isEnd || rest.allSatisfy({ $0 <= 0x20 }) {
                    if let start { parts.append(withoutLineEnd(body[start..<lineStart])) }
                    start = isEnd ? nil : lineEnd
                    if isEnd { return parts }
                }
            }
            lineStart = lineEnd
        }
        if let start { parts.append(body[start...]) }
        return parts
    }

    private static func withoutLineEnd(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var bytes = bytes
        if bytes.last == 0x0A { bytes.removeLast() }
        if bytes.last == 0x0D { bytes.removeLast() }
        return bytes
    }

    /// Ignores what is no base64 (RFC 2045, 6.8).
    private static func base64(_ body: ArraySlice<UInt8>) -> [UInt8] {
        var digits = body.filter {
            $0.isDigit || $0.isLetter || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/")
        }
        if digits.count % 4 == 1 { digits.removeLast() }
        digits += Array(repeating: UInt8(ascii: "="), count: (4 - digits.count % 4) % 4)
        return Data(base64Encoded: Data(digits)).map(Array.init) ?? []
    }

    // MARK: Header fields

    /// The header fields and what follows their empty line. A line that is no field begins the
    /// body.
    private static func split(_ bytes: ArraySlice<UInt8>) -> (Fields, ArraySlice<UInt8>) {
        var fields: Fields = []
        var position = bytes.startIndex
        while position < bytes.endIndex {
            let end = bytes[position...].firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.endIndex
            let line = withoutLineEnd(bytes[position..<end])
            if line.isEmpty { return (fields, bytes[end...]) }
            let text = Charset.decode(Array(line), nil)
            if line.first?.isBlank == true, !fields.isEmpty {
                fields[fields.count - 1].value += " " + Substring(text).trimmingBlanks
            } else if let colon = text.firstIndex(of: ":"), colon > text.startIndex,
                text[..<colon].utf8.allSatisfy({ (0x21...0x7E).contains($0) || $0.isBlank })
            {
                fields.append(
                    (
                        String(Substring(text[..<colon]).trimmingBlanks),
                        String(text[text.index(after: colon)...].trimmingBlanks)
                    ))
            } else if !text.hasPrefix("From ") || !fields.isEmpty {
                // An mbox line is skipped.
                return (fields, bytes[position...])
            }
            position = end
        }
        return (fields, bytes[bytes.endIndex...])
    }
}

/// A value with parameters: `text/plain; charset="utf-8"` (RFC 2045, 5.1; RFC 2231).
struct ParameterizedValue {
    /// In lowercase.
    let value: String
    /// By lowercase name.
    private(set) var parameters: [String: String] = [:]

    init(_ text: String) {
        var pieces: [String] = [""]
        var isQuoted = false
        var isEscaped = false
        for character in text {
            if isEscaped {
                isEscaped = false
            } else if character == "\\", isQuoted {
                isEscaped = true
                continue
            } else if character == "\"" {
                isQuoted.toggle()
                continue
            } else if character == ";", !isQuoted {
                pieces.append("")
                continue
            }
            pieces[pieces.count - 1].append(character)
        }
        value = pieces[0].whitespaceCollapsed.lowercased()
        var continued: [String: [(Int, String, isEncoded: Bool)]] = [:]
        for piece in pieces.dropFirst() {
            guard let equals = piece.firstIndex(of: "=") else { continue }
            let name = piece[..<equals].lowercased().whitespaceCollapsed
            let content = String(piece[piece.index(after: equals)...].trimmingBlanks)
            // `filename*0*=utf-8''a%20` is the first encoded piece of a value.
            let parts = name.split(separator: "*", omittingEmptySubsequences: false)
            if parts.count == 1 {
                if parameters[name] == nil { parameters[name] = content }
            } else {
                let number = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
                continued[String(parts[0]), default: []].append(
                    (number, content, name.hasSuffix("*")))
            }
        }
        for (name, pieces) in continued {
            let sorted = pieces.sorted { $0.0 < $1.0 }
            let joined = sorted.map(\.1).joined()
            let encoded = joined.split(separator: "'", omittingEmptySubsequences: false)
            parameters[name] =
                sorted.contains(where: \.isEncoded) && encoded.count >= 3
                ? Charset.decode(
                    Self.percentDecoded(encoded.dropFirst(2).joined(separator: "'")),
                    String(encoded[0])) : joined
        }
    }

    private static func percentDecoded(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let high = rest.first?.hexDigitValue,
                let low = rest.dropFirst().first?.hexDigitValue
            {
                bytes.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }
}
