import CMicrohttpd
import Synchronization
import Web

/// Handing an answer to libmicrohttpd, from inside its access handler.
extension Visitor {
    func queue(_ response: Response, isHead: Bool) -> MHD_Result {
        if let problem = response.unsendable {
            response.discard()
            return queue(problem.response, isHead: isHead)
        }
        let status = response.status
        switch response.body {
        case .empty:
            return Reply([], headers: response.headers)?.queue(on: wire, status: status) ?? .NO
        case .bytes(let bytes):
            return Reply(bytes, headers: response.headers)?.queue(on: wire, status: status) ?? .NO
        case .stream where isHead:
            return Reply([], headers: response.headers)?.queue(on: wire, status: status) ?? .NO
        case .withheld(let length):
            return Reply(withheld: length, headers: response.headers)?.queue(
                on: wire, status: status) ?? .NO
        case .flow(let flow) where isHead:
            flow.cancel()
            return Reply(withheld: flow.length, headers: response.headers)?.queue(
                on: wire, status: status) ?? .NO
        case .flow(let flow):
            guard state.withLock({ reserveStream(&$0) }) else {
                flow.cancel()
                return queue(Problem.tooManyStreams.response, isHead: false)
            }
            let body = stream(
                response.headers, patience: engine.configuration.flowPatience, length: flow.length)
            body.pump(flow)
            return Reply(body, length: flow.length, headers: response.headers)?.queue(
                on: wire, status: status) ?? .NO
        case .stream(let stream):
            guard state.withLock({ reserveStream(&$0) }) else {
                return queue(Problem.tooManyStreams.response, isHead: false)
            }
            let body = self.stream(
                response.headers, patience: engine.configuration.streamPatience, isOurs: true)
            body.pump(stream)
            return Reply(body, headers: response.headers)?.queue(on: wire, status: status) ?? .NO
        }
    }

    /// The stream that is on this connection from now on.
    private func stream(
        _ headers: Headers, patience: Duration, isOurs: Bool = false, length: Int? = nil
    ) -> StreamBody {
        let kind = headers["Content-Type"] ?? ""
        let body = StreamBody(
            wire: wire, limits: engine.configuration,
            isEventStream: isOurs && kind.hasPrefix("text/event-stream"), patience: patience,
            length: length)
        let isClosing = state.withLock { state in
            state.phase = .streaming(body)
            return state.isClosing
        }
        // Ours may end at any time; another's would look whole.
        if isClosing { isOurs ? body.finish() : body.abandon() }
        return body
    }
}

extension Response {
    /// Why it cannot be sent, nil if it can: what is no HTTP, or has more
    /// headers than fit into a connection's memory.
    fileprivate var unsendable: Problem? {
        let statuses = isRelayed ? 200...999 : 200...599
        if !statuses.contains(status) { return .statusUnknown(isRelayed: isRelayed) }
        return headers.size > Self.headerLimit ? .answerTooLarge(isRelayed: isRelayed) : nil
    }

    /// Nobody will read it: whoever would write its body is told.
    func discard() { if case .flow(let flow) = body { flow.cancel() } }
}
