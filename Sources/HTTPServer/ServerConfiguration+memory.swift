import Web

/// What libmicrohttpd keeps of a connection, all in one piece of memory: the
/// bytes as received, a record of each field, and the answer's headers. Where
/// these do not fit in it ends the connection without a word.
extension ServerConfiguration {
    /// It is what an idle stream costs, hence no more of it.
    var connectionMemory: Int { headerLimit + Response.headerLimit + (8 << 10) }

    /// Whether that is enough for such a request and its answer.
    func fits(headerBytes size: Int, fieldCount: Int) -> Bool {
        // A record has 56 bytes; of `Cookie` there are two more, our mark and
        // what is in it. An answer gets a status line and fields of its own.
        let free = connectionMemory - 56 * (fieldCount + 2) - 512
        // Of requests sent ahead the buffer may be half full: then there is
        // room for an answer of ours, whose headers may have 4 KiB.
        return size <= free - Response.headerLimit && connectionMemory / 2 <= free - (4 << 10)
    }
}
