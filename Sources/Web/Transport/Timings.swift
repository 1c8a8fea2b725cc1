/// How long each phase of an exchange took, in milliseconds.
///
/// A phase that did not happen (a reused connection, no TLS) is nil.
package struct Timings: Sendable, Equatable {
    package var nameLookup: Double?
    package var connect: Double?
    package var tls: Double?
    /// From the sent request to the response's first byte.
    package var firstByte: Double?
    /// From the start to the last byte or the failure.
    package var total: Double

    package init(
        nameLookup: Double? = nil, connect: Double? = nil, tls: Double? = nil,
        firstByte: Double? = nil, total: Double = 0
    ) {
        self.nameLookup = nameLookup
        self.connect = connect
        self.tls = tls
        self.firstByte = firstByte
        self.total = total
    }
}
