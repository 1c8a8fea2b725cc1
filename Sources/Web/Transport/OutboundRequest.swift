/// A request to a backend, exactly as it will be sent.
package struct OutboundRequest: Sendable, Equatable {
    package var method: Method
    /// Absolute, `http` or `https`, percent-encoded.
    package var url: String
    package var headers: Headers
    package var body: [UInt8]
    /// For the complete exchange.
    package var timeout: Duration
    /// Whether only the headers that the connection needs are added: it is another client's
    /// request.
    package var isVerbatim = false

    package init(
        method: Method, url: String, headers: Headers = [:], body: [UInt8] = [],
        timeout: Duration = .seconds(30)
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
    }
}
