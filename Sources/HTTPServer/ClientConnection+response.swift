import CMicrohttpd
import Synchronization
import Web

/// Queueing a response with libmicrohttpd, from inside its access handler.
extension ClientConnection {
    func queue(_ response: Response, isHead: Bool) -> MHD_Result {
        if let problem = response.unsendableReason {
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
        case .proxied(let bodyStream) where isHead:
            return MHDResponse(headOnly: bodyStream.length, headers: response.headers)?.queue(
                on: handle, status: status) ?? .NO
        case .proxied(let bodyStream):
            guard state.withLock({ reserveStream(&$0) }) else {
                return queue(Problem.tooManyStreams.response, isHead: false)
            }
            let body = startStream(
                response.headers, stallTimeout: daemon.configuration.proxyStallTimeout,
                length: bodyStream.length)
            body.pump(bodyStream)
            return MHDResponse(body, length: bodyStream.length, headers: response.headers)?.queue(
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

    /// Makes the connection a streaming one and returns its buffer.
    private func startStream(
        _ headers: Headers, stallTimeout: Duration, isOwn: Bool = false, length: Int? = nil
    ) -> ResponseBuffer {
        let contentType = headers["Content-Type"] ?? ""
        let body = ResponseBuffer(
            handle: handle, limits: daemon.configuration,
            isEventStream: isOwn && contentType.hasPrefix("text/event-stream"),
            stallTimeout: stallTimeout, length: length)
        let isClosing = state.withLock { state in
            state.phase = .streaming(body)
            return state.isClosing
        }
        // The console's own streams may end at any time; a proxied one would look complete.
        if isClosing { isOwn ? body.finish() : body.abort() }
        return body
    }
}

extension Response {
    /// Why it cannot be sent, nil if it can: an invalid status, or more headers than fit into a
    /// connection's memory.
    fileprivate var unsendableReason: Problem? {
        let statuses = isProxied ? 200...999 : 200...599
        if !statuses.contains(status) { return .unsendableStatus(isProxied: isProxied) }
        return headers.size > Self.headerLimit
            ? .responseHeadersTooLarge(isProxied: isProxied) : nil
    }
}
