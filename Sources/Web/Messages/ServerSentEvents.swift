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
