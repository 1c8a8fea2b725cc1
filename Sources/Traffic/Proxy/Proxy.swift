package import Web

/// Forwards real apps' requests to their backends, and records the exchanges.
package struct Proxy: Sendable {
    private let recorder: Recorder

    package init(_ recorder: Recorder) { self.recorder = recorder }

    /// Rewrites a request, sends it with the faults that apply, and streams the rewritten response
    /// back. Before the response is complete, the exchange is recorded and followed.
    package func forward(_ proxyRequest: ProxyRequest, to target: ProxyTarget) async throws
        -> Response
    {
        let rewriter = ProxyRewriter(proxyRequest, to: target.baseURL)
        let exchange = try await ProxyExchange(rewriter, target, recorder)
        let upstream: UpstreamResponse
        switch exchange.response.result.outcome {
        case .responded(let response): upstream = response
        case .failed(let failure):
            await exchange.finish()
            return failure.response(exchange: exchange.id)
        }
        var response = rewriter.response(upstream, exchange: exchange.id)
        if let failure = rewriter.rejectionReason(for: response) {
            await exchange.finish(failure: failure)
            return failure.response(exchange: exchange.id)
        }
        if let body = exchange.response.body {
            response.body = .proxied(exchange.trackedBody(body, length: upstream.contentLength))
            return response
        }
        await exchange.finish()
        response.body =
            proxyRequest.request.method == .head || upstream.status == 304
            ? .headOnly(length: upstream.contentLength)
            : upstream.body.isEmpty ? .empty : .bytes(upstream.body)
        return response
    }
}

extension UpstreamResponse {
    /// The body length its header declares.
    fileprivate var contentLength: Int? {
        guard headers["Transfer-Encoding"] == nil else { return nil }
        return headers["Content-Length"].flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
    }
}

extension TransportFailure {
    /// The response to the client instead of the backend's: a problem marked as Foyer's.
    fileprivate func response(exchange: String) -> Response {
        let title =
            switch kind {
            case .timeout: "The backend timed out"
            case .invalidResponse: "The backend's response cannot be forwarded"
            default: "The backend could not be reached"
            }
        return Problem(
            status: kind == .timeout ? 504 : 502, code: "no-response", title: title,
            detail: "\(detail) This response is from Foyer, not from the backend.",
            headers: ["X-Foyer-Error": kind.rawValue, "X-Foyer-Exchange": exchange]
        ).response
    }
}
