/// Writes `text/event-stream` (WHATWG HTML, 9.2).
package enum ServerSentEvents {
    /// What a stream begins with: how long to wait before coming back, in
    /// milliseconds.
    package static let opening = Array("retry: 1000\n\n".utf8)

    /// One event; `data` holds no line break.
    package static func encode(
        id: String, event: String, data: [UInt8]
    ) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(data.count + 64)
        out += "id: ".utf8
        out += id.utf8
        out += "\nevent: ".utf8
        out += event.utf8
        out += "\ndata: ".utf8
        out += data
        out += "\n\n".utf8
        return out
    }
}
