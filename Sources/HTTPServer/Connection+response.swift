import CMicrohttpd
import Synchronization
import Web

/// Handing an answer to libmicrohttpd, from inside its access handler.
extension Connection {
    func queue(_ response: Response, isHead: Bool) -> MHD_Result {
        if let problem = response.unsendableReason {
            response.discard()
            return queue(problem.response, isHead: isHead)
        }
        let status = response.status
        switch response.body {
        case .empty:
            return MHDResponse([], headers: response.headers)?.queue(on: handle, status: status)
                ?? .NO
        case .bytes(let bytes):
            return MHDResponse(bytes, headers: response.headers)?.queue(on: handle, status: status)
                ?? .NO
        case .stream where isHead:
            return MHDResponse([], headers: response.headers)?.queue(on: handle, status: status)
                ?? .NO
        case .headOnly(let length):
            return MHDResponse(headOnly: length, headers: response.headers)?.queue(
                on: handle, status: status) ?? .NO
        case .proxied(let flow) where isHead:
            flow.cancel()
            return MHDResponse(headOnly: flow.length, headers: response.headers)?.queue(
                on: handle, status: status) ?? .NO
        case .proxied(let flow):
            guard state.withLock({ reserveStream(&$0) }) else {
                flow.cancel()
                return queue(Problem.tooManyStreams.response, isHead: false)
            }
            let body = startStream(
                response.headers, stallTimeout: daemon.configuration.proxyStallTimeout,
                length: flow.length)
            body.pump(flow)
            return MHDResponse(body, length: flow.length, headers: response.headers)?.queue(
                on: handle, status: status) ?? .NO
        case .stream(let stream):
            guard state.withLock({ reserveStream(&$0) }) else {
                return queue(Problem.tooManyStreams.response, isHead: false)
            }
            let body = self.startStream(
                response.headers, stallTimeout: daemon.configuration.streamStallTimeout, isOwn: true
            )
            body.pump(stream)
            return MHDResponse(body, headers: response.headers)?.queue(on: handle, status: status)
                ?? .NO
        }
    }

    /// The stream that is on this connection from now on.
    private func startStream(
        _ headers: Headers, stallTimeout: Duration, isOwn: Bool = false, length: Int? = nil
    ) -> ResponseBuffer {
        let kind = headers["Content-Type"] ?? ""
        let body = ResponseBuffer(
            handle: handle, limits: daemon.configuration,
            isEventStream: isOwn && kind.hasPrefix("text/event-stream"), stallTimeout: stallTimeout,
            length: length)
        let isClosing = state.withLock { state in
            state.phase = .streaming(body)
            return state.isClosing
        }
        // Ours may end at any time; another's would look whole.
        if isClosing { isOwn ? body.finish() : body.abort() }
        return body
    }
}

extension Response {
    /// Why it cannot be sent, nil if it can: what is no HTTP, or has more
    /// headers than fit into a connection's memory.
    fileprivate var unsendableReason: Problem? {
        let statuses = isProxied ? 200...999 : 200...599
        if !statuses.contains(status) { return .unsendableStatus(isProxied: isProxied) }
        return headers.size > Self.headerLimit
            ? .responseHeadersTooLarge(isProxied: isProxied) : nil
    }

    /// Nobody will read it: whoever would write its body is told.
    func discard() { if case .proxied(let flow) = body { flow.cancel() } }
}
