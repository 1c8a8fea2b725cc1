import CMicrohttpd
import Synchronization
import Web

/// Queueing a response with libmicrohttpd, from inside its access handler.
extension ClientConnection {
    func queue(_ response: Response, isHead: Bool) -> MHD_Result {
        if let problem = response.unsendableReason {
            return queue(problem.response, isHead: isHead)
        }
        let mhdResponse: MHDResponse?
        switch response.body {
        case .empty: mhdResponse = MHDResponse([], headers: response.headers)
        case .bytes(let bytes): mhdResponse = MHDResponse(bytes, headers: response.headers)
        case .stream where isHead: mhdResponse = MHDResponse([], headers: response.headers)
        case .headOnly(let length):
            mhdResponse = MHDResponse(headOnly: length, headers: response.headers)
        case .proxied(let bodyStream) where isHead:
            mhdResponse = MHDResponse(headOnly: bodyStream.length, headers: response.headers)
        case .proxied, .stream:
            guard state.withLock({ reserveStream(&$0) }) else {
                return queue(Problem.tooManyStreams.response, isHead: false)
            }
            mhdResponse = MHDResponse(startStream(response), headers: response.headers)
        }
        return mhdResponse?.queue(on: handle, status: response.status) ?? .NO
    }

    /// Makes the connection a streaming one and starts to copy the response's body.
    private func startStream(_ response: Response) -> ResponseBuffer {
        var proxied: BodyStream?
        if case .proxied(let bodyStream) = response.body { proxied = bodyStream }
        let limits = daemon.configuration
        let isEventStream =
            proxied == nil
            && response.headers["Content-Type"]?.hasPrefix("text/event-stream") == true
        let body = ResponseBuffer(
            handle: handle, limits: limits, isEventStream: isEventStream,
            stallTimeout: proxied == nil ? limits.streamStallTimeout : limits.proxyStallTimeout,
            length: proxied?.length)
        let isClosing = state.withLock { state in
            state.phase = .streaming(body)
            return state.isClosing
        }
        // The console's own streams may end at any time; a proxied one would look complete.
        if isClosing { proxied == nil ? body.finish() : body.abort() }
        if let proxied { body.pump(proxied) }
        if case .stream(let stream) = response.body { body.pump(stream) }
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
