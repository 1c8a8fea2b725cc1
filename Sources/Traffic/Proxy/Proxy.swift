package import Web

extension Recorder {
    /// Forwards a real app's request to its backend: rewrites it, sends it with the faults that
    /// apply, and streams the rewritten response back. Before the response is complete, the
    /// exchange is recorded and followed.
    package func forward(_ request: ProxyRequest, to target: ProxyTarget) async throws -> Response {
        let rewriter = ProxyRewriter(request, to: target.baseURL)
        let exchange = try await ProxyExchange(rewriter, target, self)
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
            request.request.method == .head || upstream.status == 304
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
        var response = problemResponse(exchange: exchange)
        response.isDropped = self == .aborted
        return response
    }

    private func problemResponse(exchange: String) -> Response {
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

/// Where a proxied request is sent, and how its exchange is interpreted.
package struct ProxyTarget: Sendable {
    /// The base URL that the request's path is appended to.
    let baseURL: String
    /// The names of the app's password fields, whose values are not stored.
    let passwordFields: Set<String>
    /// The call that an exchange makes; called with the request alone if faults may apply to it,
    /// and once with the finished exchange.
    let interpret: @Sendable (ObservedExchange) async throws -> ProxiedCall

    package init(
        baseURL: String, passwordFields: Set<String>,
        interpret: @escaping @Sendable (ObservedExchange) async throws -> ProxiedCall
    ) {
        self.baseURL = baseURL
        self.passwordFields = passwordFields
        self.interpret = interpret
    }
}

/// What is readable of a proxied exchange.
package struct ObservedExchange: Sendable {
    /// As the app sent it, not as a fault changed it.
    package let request: OutboundRequest
    package let isRequestComplete: Bool
    /// Nil if there is none.
    package let response: UpstreamResponse?
    package let isResponseComplete: Bool
}

/// How the app's owner understands a proxied exchange.
///
/// `context` is its origin, with the secrets that the app's manifest declares; `follow` applies the
/// recorded exchange's effects.
package typealias ProxiedCall = (
    context: ExchangeContext, follow: @Sendable (Recorder.RecordedExchange) async throws -> Void
)

/// A real app's request, to be forwarded to a backend.
package struct ProxyRequest: Sendable {
    package let request: Request
    /// The request target below the app's proxy URL, as sent: empty, or beginning with `/` or `?`.
    package let relativeTarget: String
    /// The app's proxy URL as the client spells it, without a trailing slash.
    package let clientBaseURL: String

    package init(_ request: Request, relativeTarget: String, clientBaseURL: String) {
        self.request = request
        self.relativeTarget = relativeTarget
        self.clientBaseURL = clientBaseURL
    }

    /// `relativeTarget` without the query.
    package var path: String { String(relativeTarget.prefix { $0 != "?" }) }

    package var query: [(name: String, value: String)] {
        let query = relativeTarget.utf8.drop { $0 != UInt8(ascii: "?") }.dropFirst()
        return Form.parseLeniently(Substring(query))
    }

    /// The client's name: the product of its `User-Agent`.
    package var clientName: String {
        let product = (request.headers["User-Agent"] ?? "").utf8.prefix {
            $0.isLetter || $0.isDigit || "-._".utf8.contains($0)
        }
        return String(decoding: product.prefix(32), as: UTF8.self)
    }

    /// Rejects paths that could leave the backend's base path, in any spelling a server might
    /// interpret that way.
    package func validatePath() throws(Problem) {
        guard !URLParts.mayLeaveBase(relativeTarget) else {
            throw Problem(
                status: 400, code: "malformed-target", title: "Malformed URL",
                detail: "Invalid path: it contains a dot segment or a fragment.")
        }
    }
}
