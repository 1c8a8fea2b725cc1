/// One HTTP answer as it came over the wire.
package struct RawResponse: Sendable, Equatable {
    package var status: Int
    /// Name and value as sent, in order.
    package var fields: [[String]]
    package var body: [UInt8]

    package var text: String { String(decoding: body, as: UTF8.self) }

    /// The first value under `name`, whatever the case.
    package subscript(name: String) -> String? {
        fields.first { $0[0].lowercased() == name.lowercased() }?[1]
    }

    /// Takes the first answer out of `bytes`; nil while it is not whole.
    static func take(from bytes: inout [UInt8], isHead: Bool) throws -> RawResponse? {
        guard let head = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let lines = String(decoding: bytes[..<head.lowerBound], as: UTF8.self).split(
            separator: "\r\n", omittingEmptySubsequences: false)
        let words = lines[0].split(separator: " ", maxSplits: 2)
        guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]) else {
            throw RawClient.Failure.malformed(String(lines[0]))
        }
        var answer = RawResponse(status: status, fields: [], body: [])
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else {
                throw RawClient.Failure.malformed(String(line))
            }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            answer.fields.append([String(line[..<colon]), String(value)])
        }
        var reader = BodyReader(rest: bytes[head.upperBound...])
        let hasBody = !isHead && status >= 200 && status != 204 && status != 304
        guard try !hasBody || reader.read(into: &answer) else { return nil }
        bytes = Array(reader.rest)
        return answer
    }
}

/// Reads a body by Content-Length or chunk by chunk.
private struct BodyReader {
    var rest: ArraySlice<UInt8>

    /// False while it is not whole.
    mutating func read(into answer: inout RawResponse) throws -> Bool {
        if let length = answer["Content-Length"].flatMap(Int.init) {
            return take(length, into: &answer.body)
        }
        guard answer["Transfer-Encoding"] == "chunked" else {
            throw RawClient.Failure.malformed("a body without a length")
        }
        while true {
            guard let line = rest.firstRange(of: [0x0D, 0x0A]) else { return false }
            let text = String(decoding: rest[..<line.lowerBound], as: UTF8.self)
            guard let size = Int(text, radix: 16) else { throw RawClient.Failure.malformed(text) }
            rest = rest[line.upperBound...]
            var end: [UInt8] = []
            guard take(size, into: &answer.body), take(2, into: &end) else { return false }
            if size == 0 { return true }
        }
    }

    private mutating func take(_ count: Int, into bytes: inout [UInt8]) -> Bool {
        guard rest.count >= count else { return false }
        bytes += rest.prefix(count)
        rest = rest.dropFirst(count)
        return true
    }
}
