/// Address and bounds of a server.
package struct ServerConfiguration: Sendable {
    package var address: String = "127.0.0.1"
    /// 0 picks a free one.
    package var port: UInt16
    /// Request body bytes; more is 413.
    package var bodyLimit: Int = 1 << 20
    /// Request line and headers together; more is 431.
    package var headerLimit: Int = 16 << 10
    /// Open connections; some are kept free of streams.
    package var connectionLimit: Int = 2_048
    /// Seconds a connection may be silent.
    package var idleTimeout: Int = 30
    /// For a whole request to arrive.
    package var requestDeadline: Duration = .seconds(30)
    package var log: @Sendable (String) -> Void = { _ in }

    package init(port: UInt16) { self.port = port }
}
