/// One HTTP response as it was received.
package struct RawResponse: Sendable, Equatable {
    package var status: Int
    /// Name and value as sent, in order.
    package var fields: [[String]]
    package var body: [UInt8]

    package var text: String { String(decoding: body, as: UTF8.self) }

    /// The first value under `name`, which is case-insensitive.
    package subscript(name: String) -> String? {
        fields.first { $0[0].lowercased() == name.lowercased() }?[1]
    }

    /// Removes the first response from `bytes`; nil while it is incomplete.
    static func take(from bytes: inout [UInt8], isHead: Bool) throws -> RawResponse? {
        guard let head = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let lines = String(decoding: bytes[..<head.lowerBound], as: UTF8.self).split(
            separator: "\r\n", omittingEmptySubsequences: false)
        let statusLine = lines[0].split(separator: " ", maxSplits: 2)
        guard statusLine.count >= 2, statusLine[0].hasPrefix("HTTP/1."),
            let status = Int(statusLine[1])
        else {
            throw RawClient.Failure.malformed(String(lines[0]))
        }
        var response = RawResponse(status: status, fields: [], body: [])
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else {
                throw RawClient.Failure.malformed(String(line))
            }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            response.fields.append([String(line[..<colon]), String(value)])
        }
        var reader = BodyReader(remaining: bytes[head.upperBound...])
        let hasBody = !isHead && status >= 200 && status != 204 && status != 304
        guard try !hasBody || reader.read(into: &response) else { return nil }
        bytes = Array(reader.remaining)
        return response
    }
}

/// Reads a body that is framed by Content-Length or by chunks.
private struct BodyReader {
    var remaining: ArraySlice<UInt8>

    /// False while the body is incomplete.
    mutating func read(into response: inout RawResponse) throws -> Bool {
        if let length = response["Content-Length"].flatMap(Int.init) {
            return take(length, into: &response.body)
        }
        guard response["Transfer-Encoding"] == "chunked" else {
            throw RawClient.Failure.malformed("a body without a length")
        }
        while true {
            guard let line = remaining.firstRange(of: [0x0D, 0x0A]) else { return false }
            let text = String(decoding: remaining[..<line.lowerBound], as: UTF8.self)
            guard let size = Int(text, radix: 16) else { throw RawClient.Failure.malformed(text) }
            remaining = remaining[line.upperBound...]
            var end: [UInt8] = []
            guard take(size, into: &response.body), take(2, into: &end) else { return false }
            if size == 0 { return true }
        }
    }

    private mutating func take(_ count: Int, into bytes: inout [UInt8]) -> Bool {
        guard remaining.count >= count else { return false }
        bytes += remaining.prefix(count)
        remaining = remaining.dropFirst(count)
        return true
    }
}
