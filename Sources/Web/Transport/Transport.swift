/// The way out: sends one request and says what came of it.
///
/// One real implementation (libcurl), so a struct of closures. It never
/// throws: not getting an answer is a result like another.
package struct Transport: Sendable {
    /// Waits for the whole answer.
    package var send: @Sendable (OutboundRequest) async -> ExchangeResult
    /// Waits for the head of the answer; with an upload as the request's body.
    package var openStream: @Sendable (OutboundRequest, BodyStream?) async -> StreamingResponse

    package init(
        send: @escaping @Sendable (OutboundRequest) async -> ExchangeResult,
        openStream: (@Sendable (OutboundRequest, BodyStream?) async -> StreamingResponse)? = nil
    ) {
        self.send = send
        self.openStream =
            openStream ?? { request, bodyStream in
                var request = request
                if let bodyStream, await !bodyStream.append(to: &request.body) {
                    return StreamingResponse(ExchangeResult(outcome: .failed(.uploadAborted)))
                }
                return StreamingResponse(await send(request))
            }
    }
}

extension BodyStream {
    /// Everything behind `bytes`; false if it broke off.
    fileprivate func append(to bytes: inout [UInt8]) async -> Bool {
        while true {
            switch await next() {
            case .bytes(let more): bytes += more
            case .end: return true
            case .aborted: return false
            }
        }
    }
}

extension TransportFailure {
    /// Whoever sent the request's body stopped in the middle of it.
    package static let uploadAborted = TransportFailure(
        kind: .cancelled, detail: "The request was not sent to its end.")
}
