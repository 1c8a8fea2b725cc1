import Web

/// Bounds of a connection's memory, which libmicrohttpd allocates in one block: the bytes as
/// received, a record of each field, and the response headers. If these do not fit, it closes the
/// connection without a response.
extension ServerConfiguration {
    /// Every idle stream costs this much, so it is no larger.
    var connectionMemory: Int { headerLimit + Response.headerLimit + (8 << 10) }

    /// Whether the memory suffices for such a request and its response.
    func fits(headerBytes size: Int, fieldCount: Int) -> Bool {
        // A record takes 56 bytes. `Cookie` needs two more, for the marker field and its content. A
        // response also has a status line and libmicrohttpd's own fields.
        let free = connectionMemory - 56 * (fieldCount + 2) - 512
        // Pipelined requests may fill half of the buffer; there must still be space for one of the
        // console's responses, whose headers may take 4 KiB.
        return size <= free - Response.headerLimit && connectionMemory / 2 <= free - (4 << 10)
    }
}
