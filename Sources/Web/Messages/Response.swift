/// An HTTP response to a client.
package struct Response: Sendable {
    /// The status code, 200 … 599; of a proxied response up to 999.
    package var status: Int
    /// At most `headerLimit` bytes.
    package var headers: Headers
    package var body: Body
    /// Whether it is a proxied response: nothing is added to it.
    package var isProxied = false
    /// Whether the connection is closed instead of sending it, as when a server fails.
    package var isDropped = false

    /// Maximum size of the headers, in bytes.
    package static let headerLimit = 12 << 10

    package init(status: Int, headers: Headers = [:], body: Body = .empty) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The content after the headers.
    package enum Body: Sendable {
        case empty
        case bytes([UInt8])
        /// An unbounded stream of chunks (server-sent events). The server closes the connection
        /// when the client disconnects or reads too slowly, and then cancels the stream.
        case stream(any AsyncSequence<[UInt8], Never> & Sendable)
        /// The body of a proxied response. If it is aborted, the server closes the connection, so
        /// that it does not pass for complete.
        case proxied(BodyStream)
        /// No body, with the length it would have (HEAD).
        case headOnly(length: Int?)
    }
}

extension Response {
    /// JSON without a charset, which its media type does not have (RFC 8259, 11).
    package static func plainJSON(_ json: JSON, status: Int = 200) -> Response {
        Response(
            status: status, headers: ["Content-Type": "application/json"], body: .bytes(json.bytes))
    }
}

/// Encoder for `text/event-stream` (WHATWG HTML, 9.2).
package enum ServerSentEvents {
    /// Start of a stream: the reconnection delay, in milliseconds.
    package static let preamble = Array("retry: 1000\n\n".utf8)

    /// Encodes one event. Line breaks in `data` become LF; `id` and `event` must have none.
    package static func encode(id: String, event: String, data: [UInt8]) -> [UInt8] {
        precondition(
            id.utf8.allSatisfy { $0 >= 0x20 } && event.utf8.allSatisfy { $0 >= 0x20 },
            "an event's id and kind are one line each")
        var out: [UInt8] = []
        out.reserveCapacity(data.count + id.utf8.count + 64)
        out += "id: ".utf8
        out += id.utf8
        out += "\nevent: ".utf8
        out += event.utf8
        out += "\ndata: ".utf8
        if data.contains(where: { $0 == 10 || $0 == 13 }) {
            append(lines: data, to: &out)
        } else {
            out += data
        }
        out += "\n\n".utf8
        return out
    }

    /// Writes each line as a `data` field; CR LF, CR and LF all end one.
    private static func append(lines data: [UInt8], to out: inout [UInt8]) {
        var previous: UInt8 = 0
        for byte in data {
            switch byte {
            case 10 where previous == 13: break
            case 10, 13: out += "\ndata: ".utf8
            default: out.append(byte)
            }
            previous = byte
        }
    }
}
