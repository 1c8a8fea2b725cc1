import Apps
import Core
import FoundationEssentials
import Traffic
import Web

/// Resends a recorded request, unchanged or edited.
///
/// It is sent only to its original server, and recorded. The device it came from is not affected.
struct Resend: Sendable {
    let services: Services
    let detail: ExchangeDetail

    /// The edited parts; nil means unchanged.
    struct Edit: Sendable {
        var method: String?
        /// Path and query; an absolute URL must have the same origin.
        var path: String?
        var headers: [Headers.Field]?
        var body: String?
        /// Replaces `‹password›` everywhere, because passwords are never recorded.
        var password: String?

        var isEmpty: Bool { method == nil && path == nil && headers == nil && body == nil }
    }

    private var exchange: Exchange { detail.exchange }

    /// Sends the request; returns the new exchange's id.
    func send(_ edit: Edit = Edit()) async throws -> String {
        let origin = try allowedOrigin()
        let tokens = try await services.exchanges.unmaskedTokens(of: detail)
        let request = try ResendRequest(detail: detail, origin: origin, tokens: tokens, edit: edit)
            .makeRequest()
        let recorded = await services.recorder.send(request, as: context(request, tokens, edit))
        return recorded.id
    }

    private func context(_ request: OutboundRequest, _ tokens: [String], _ edit: Edit)
        -> ExchangeContext
    {
        var secrets = SecretFields()
        secrets.read(url: request.url)
        secrets.read(request.headers)
        let withheldReason = secrets.read(
            request: request.body, request.headers["Content-Type"] ?? "")
        let password = edit.password.map { [$0] } ?? []
        var exchangeContext = ExchangeContext(
            workspace: exchange.workspace, app: exchange.app, device: exchange.device,
            backend: exchange.backend, call: exchange.call, cause: edit.isEmpty ? .replay : .manual,
            causeExchange: exchange.id, passwords: secrets.passwords + password,
            tokens: tokens + secrets.tokens,
            extractTokens: { response in
                var responseSecrets = SecretFields()
                responseSecrets.read(response.headers)
                responseSecrets.read(
                    response: response.body, response.headers["Content-Type"] ?? "")
                return responseSecrets.tokens + responseSecrets.passwords
            })
        exchangeContext.bodyWithheldReason = withheldReason
        return exchangeContext
    }

    /// For instance `https://api.example.com`. An imported exchange can only be sent to one of the
    /// app's own backends, because no user has chosen to connect to its server before.
    private func allowedOrigin() throws(Problem) -> String {
        let origin = URLParts(exchange.url).origin
        guard exchange.cause == .imported else { return origin }
        let baseURLs =
            services.appCatalog.app(exchange.app)?.backends.compactMap {
                services.baseURL(ofBackend: $0.id, app: exchange.app, workspace: exchange.workspace)
            } ?? []
        guard baseURLs.contains(where: { URLParts($0).origin == origin }) else {
            throw Problem(
                status: 409, code: "unknown-upstream", title: "Server not allowed",
                detail: """
                    This request was imported, and \(origin) is not a backend \
                    of an app. Only backends of manifests and settings are \
                    allowed.
                    """)
        }
        return origin
    }
}
