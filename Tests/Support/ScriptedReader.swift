/// Parses the requests that are received on a connection.
struct ScriptedReader {
    let socket: Int32
    let connection: Int
    private var buffer: [UInt8] = []

    init(socket: Int32, connection: Int) {
        self.socket = socket
        self.connection = connection
    }

    /// The next request; nil if the client has disconnected or does not send HTTP.
    mutating func next() -> ScriptedRequest? {
        guard let end = headEnd() else { return nil }
        let head = String(decoding: buffer[..<end], as: UTF8.self)
        buffer.removeFirst(end + 4)
        var lines = head.split(separator: "\r\n")[...]
        let requestLine = lines.popFirst()?.split(separator: " ") ?? []
        guard requestLine.count == 3 else { return nil }
        var request = ScriptedRequest(
            method: String(requestLine[0]), target: String(requestLine[1]),
            headers: lines.map(Self.field),
            body: [], connection: connection)
        if request.header("Transfer-Encoding") == "chunked" {
            guard let body = chunks() else { return nil }
            request.body = body
            return request
        }
        let length = request.header("Content-Length").flatMap(Int.init) ?? 0
        guard let body = take(length) else { return nil }
        request.body = body
        return request
    }

    /// The data of all chunks; nil if the connection ends before the last one.
    private mutating func chunks() -> [UInt8]? {
        var body: [UInt8] = []
        while true {
            var line: [UInt8] = []
            while !line.suffix(2).elementsEqual([0x0D, 0x0A]) {
                guard let byte = take(1) else { return nil }
                line += byte
            }
            let text = String(decoding: line.dropLast(2), as: UTF8.self)
            guard let size = Int(text, radix: 16), let chunk = take(size), take(2) != nil else {
                return nil
            }
            if size == 0 { return body }
            body += chunk
        }
    }

    private mutating func take(_ count: Int) -> [UInt8]? {
        while buffer.count < count {
            guard let bytes = Socket.receive(from: socket) else { return nil }
            buffer += bytes
        }
        defer { buffer.removeFirst(count) }
        return Array(buffer[..<count])
    }

    /// Index of the empty line that ends the header fields.
    private mutating func headEnd() -> Int? {
        let pattern: [UInt8] = [0x0D, 0x0A, 0x0D, 0x0A]
        while true {
            let last = buffer.count - pattern.count
            for start in stride(from: 0, through: last, by: 1)
            where buffer[start..<start + 4].elementsEqual(pattern) { return start }
            guard let bytes = Socket.receive(from: socket) else { return nil }
            buffer += bytes
            // A method begins with a capital letter: this is TLS or an unknown protocol.
            guard let first = buffer.first, (0x41...0x5A).contains(first) else { return nil }
        }
    }

    private static func field(_ line: Substring) -> (String, String) {
        let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let value = parts.count > 1 ? parts[1].drop { $0 == " " } : ""
        return (String(parts[0]), String(value))
    }
}
