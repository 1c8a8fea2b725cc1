/// What libmicrohttpd keeps of a connection, all in one piece of memory: the
/// bytes as received, a record of each field, and the answer's headers. Where
/// these do not fit in it ends the connection without a word.
extension ServerConfiguration {
    /// It is what an idle stream costs, hence no more of it.
    var connectionMemory: Int { headerLimit + (8 << 10) }

    /// Whether that is enough for such a request and an answer of ours, whose
    /// headers may have 4 KiB.
    func holds(headers size: Int, fields: Int) -> Bool {
        // At least half is for reading; a record has 48 bytes.
        max(size, connectionMemory / 2) + 48 * fields
            <= connectionMemory - (4 << 10)
    }
}
