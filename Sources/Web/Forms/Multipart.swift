/// `multipart/form-data` (RFC 7578), as browsers send a form with a file.
package struct Multipart: Sendable {
    package let parts: [Part]

    /// A part of the body (RFC 7578).
    package struct Part: Sendable, Equatable {
        package let name: String
        /// Nil for a field that is not a file.
        package let filename: String?
        package let bytes: [UInt8]
    }

    private static let maxPartCount = 32

    /// Throws 415 for another content type, 400 for a malformed body.
    package init(_ request: Request) throws(Problem) {
        guard request.headers.mediaType == "multipart/form-data",
            let boundary = Self.parseBoundary(request.headers["Content-Type"] ?? "")
        else {
            throw Problem(
                status: 415, code: "not-multipart", title: "Multipart form expected",
                detail: "Send Content-Type: multipart/form-data; boundary=….")
        }
        parts = try Self.parseParts(request.body, Array("--\(boundary)".utf8))
    }

    /// The bytes of the first part named `name`.
    package subscript(name: String) -> [UInt8]? { parts.first { $0.name == name }?.bytes }

    /// The text of the first part named `name`; nil if there is none or it is not UTF-8.
    package func text(_ name: String) -> String? {
        self[name].flatMap { String(validating: $0, as: UTF8.self) }
    }

    private static func parseBoundary(_ type: String) -> String? {
        guard let start = type.firstRange(of: "boundary=") else { return nil }
        let value = type[start.upperBound...].prefix { $0 != ";" }.filter { $0 != "\"" }
        return (1...70).contains(value.utf8.count) ? value : nil
    }

    private static func parseParts(_ body: [UInt8], _ delimiter: [UInt8]) throws(Problem) -> [Part]
    {
        let lineBreak = Array("\r\n".utf8)
        guard body.starts(with: delimiter) else { throw malformed }
        var parts: [Part] = []
        var position = delimiter.count
        while true {
            if body[position...].starts(with: Array("--".utf8)) { return parts }
            guard body[position...].starts(with: lineBreak), parts.count < maxPartCount,
                let headEnd = ByteSearch.firstIndex(
                    of: lineBreak + lineBreak, in: body[position...]),
                let end = ByteSearch.firstIndex(
                    of: lineBreak + delimiter, in: body[(headEnd + 2)...])
            else { throw malformed }
            let head = String(
                decoding: body[(position + 2)..<max(position + 2, headEnd)], as: UTF8.self)
            parts.append(try parsePart(head, Array(body[min(headEnd + 4, end)..<end])))
            position = end + 2 + delimiter.count
        }
    }

    private static func parsePart(_ head: String, _ bytes: [UInt8]) throws(Problem) -> Part {
        let disposition = head.split(separator: "\r\n").first {
            $0.lowercased().hasPrefix("content-disposition:")
        }
        guard let disposition, let name = dispositionParameter("name", of: String(disposition))
        else { throw malformed }
        return Part(
            name: name, filename: dispositionParameter("filename", of: String(disposition)),
            bytes: bytes)
    }

    /// Compares bytes: a combining accent would merge with the quote before it into one character.
    private static func dispositionParameter(_ name: String, of line: String) -> String? {
        let parts = line.utf8.split(separator: UInt8(ascii: "\""), omittingEmptySubsequences: false)
        // Text outside and inside quotes, alternating.
        let index = stride(from: 0, to: parts.count - 1, by: 2).first {
            parts[$0].suffix(name.utf8.count + 2).elementsEqual(" \(name)=".utf8)
        }
        return index.map { String(Substring(parts[$0 + 1])) }
    }

    private static let malformed = Problem(
        status: 400, code: "malformed-form", title: "Malformed form",
        detail: "Its parts do not match its boundary.")
}
