import Web

/// A response that is being received: the last header block and the body so far.
struct ResponseAccumulator {
    private(set) var headers = Headers()
    /// Bytes of all header blocks.
    private(set) var headerSize = 0
    var body: [UInt8] = []
    /// Set after the last block: further lines are trailers, which must not be treated as headers
    /// (RFC 9110, 6.5.1).
    private(set) var hasFinalHeaders = false
    private var isInterim = false
    /// Whether the status announces a protocol other than HTTP.
    private(set) var isProtocolSwitch = false

    mutating func receive(headerLine line: UnsafeRawBufferPointer) {
        headerSize += line.count
        guard !hasFinalHeaders else { return }
        var end = line.count
        while end > 0, line[end - 1] == 0x0A || line[end - 1] == 0x0D { end -= 1 }
        guard end > 0 else {
            hasFinalHeaders = !isInterim
            return
        }
        let text = String(decoding: UnsafeRawBufferPointer(rebasing: line[..<end]), as: UTF8.self)
        if text.hasPrefix("HTTP/") {
            headers = Headers()
            // 1xx precedes the final response (RFC 9110, 15.2).
            let status = text.utf8.split(separator: 0x20).dropFirst().first
            isInterim = status?.count == 3 && status?.first == 0x31
            isProtocolSwitch = status?.elementsEqual("101".utf8) == true
            return
        }
        guard let colon = text.utf8.firstIndex(of: 0x3A) else { return }
        // A folded line (RFC 9112, 5.2) continues the previous one.
        if text.utf8.first?.isBlank == true { return }
        headers.add(
            String(text[..<colon].trimmingBlanks),
            String(text[text.utf8.index(after: colon)...].trimmingBlanks))
    }
}
