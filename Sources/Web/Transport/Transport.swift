/// Sends outbound requests and reports their results.
///
/// It has one real implementation (libcurl), so it is a struct of closures. It never throws: a
/// failure is a result like any other.
package struct Transport: Sendable {
    /// Waits for the complete response.
    package var send: @Sendable (OutboundRequest) async -> ExchangeResult
    /// Waits for the head of the response; the body stream, if any, is uploaded as the request's
    /// body.
    package var openStream: @Sendable (OutboundRequest, BodyStream?) async -> StreamingResponse

    package init(
        send: @escaping @Sendable (OutboundRequest) async -> ExchangeResult,
        openStream: @escaping @Sendable (OutboundRequest, BodyStream?) async -> StreamingResponse
    ) {
        self.send = send
        self.openStream = openStream
    }
}

extension TransportFailure {
    /// The client that uploads the request's body stopped before its end.
    package static let uploadAborted = TransportFailure(
        kind: .cancelled, detail: "The request was not sent completely.")
}

/// A backend's response with any status.
package struct UpstreamResponse: Sendable, Equatable {
    package var status: Int
    package var headers: Headers
    package var body: [UInt8]

    package init(status: Int, headers: Headers = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}
