/// The way out: sends one request and says what came of it.
///
/// One real implementation (libcurl), so a struct of closures. It never
/// throws: not getting an answer is a result like another.
package struct Transport: Sendable {
    /// Waits for the whole answer.
    package var send: @Sendable (OutboundRequest) async -> Delivery
    /// Waits for the head of the answer; with an upload as the request's body.
    package var open: @Sendable (OutboundRequest, Inflow?) async -> Opened

    package init(
        send: @escaping @Sendable (OutboundRequest) async -> Delivery,
        open: (@Sendable (OutboundRequest, Inflow?) async -> Opened)? = nil
    ) {
        self.send = send
        self.open =
            open ?? { request, upload in
                var request = request
                if let upload, await !upload.gather(into: &request.body) {
                    return Opened(Delivery(outcome: .failed(.lostUpload)))
                }
                return Opened(await send(request))
            }
    }
}

extension Inflow {
    /// Everything behind `bytes`; false if it broke off.
    fileprivate func gather(into bytes: inout [UInt8]) async -> Bool {
        while true {
            switch await next() {
            case .bytes(let more): bytes += more
            case .end: return true
            case .broken: return false
            }
        }
    }
}

extension TransportFailure {
    /// Whoever sent the request's body stopped in the middle of it.
    package static let lostUpload = TransportFailure(
        kind: .cancelled, detail: "The request was not sent to its end.")
}
