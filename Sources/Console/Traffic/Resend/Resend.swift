import Apps
import Core
import FoundationEssentials
import Traffic
import Web

/// Sends a recorded exchange's request again, as it was or edited.
///
/// It goes to where it went before and nowhere else, through the recorder as
/// everything does; the device it came from is not told and stores nothing.
struct Resend: Sendable {
    let services: Services
    let detail: ExchangeDetail

    /// What is to be different; nil is as it was.
    struct Edit: Sendable {
        var method: String?
        /// Path and query; a whole address must be the same server's.
        var path: String?
        var headers: [Headers.Field]?
        var body: String?
        /// Goes wherever `‹password›` stands: those are never recorded.
        var password: String?

        var isEmpty: Bool { method == nil && path == nil && headers == nil && body == nil }
    }

    private var exchange: Exchange { detail.exchange }

    /// The new exchange's id.
    func send(_ edit: Edit = Edit()) async throws -> String {
        let origin = try allowedOrigin()
        let tokens = try await services.unmaskedTokens(of: detail)
        let request = try ResendRequest(detail: detail, origin: origin, tokens: tokens, edit: edit)
            .makeRequest()
        let sent = await services.recorder.send(request, as: context(request, tokens, edit))
        return sent.id
    }

    private func context(_ request: OutboundRequest, _ tokens: [String], _ edit: Edit)
        -> ExchangeContext
    {
        var secrets = SecretFields()
        secrets.read(url: request.url)
        secrets.read(request.headers)
        let withheld = secrets.read(request: request.body, request.headers["Content-Type"] ?? "")
        let password = edit.password.map { [$0] } ?? []
        var exchangeContext = ExchangeContext(
            workspace: exchange.workspace, app: exchange.app, device: exchange.device,
            backend: exchange.backend, call: exchange.call, cause: edit.isEmpty ? .replay : .manual,
            causeExchange: exchange.id, passwords: secrets.passwords + password,
            tokens: tokens + secrets.tokens,
            extractTokens: { response in
                var found = SecretFields()
                found.read(response.headers)
                found.read(response: response.body, response.headers["Content-Type"] ?? "")
                return found.tokens + found.passwords
            })
        exchangeContext.bodyWithheldReason = withheld
        return exchangeContext
    }

    /// `https://api.example.com`; what an archive told of must be one of the
    /// app's own backends, because nobody here chose to talk to it before.
    private func allowedOrigin() throws(Problem) -> String {
        let origin = URLParts(exchange.url).origin
        guard exchange.cause == .imported else { return origin }
        let known =
            services.appCatalog.app(exchange.app)?.backends.compactMap {
                services.baseURL(ofBackend: $0.id, app: exchange.app, workspace: exchange.workspace)
            } ?? []
        guard known.contains(where: { URLParts($0).origin == origin }) else {
            throw Problem(
                status: 409, code: "unknown-upstream", title: "It cannot be sent from here",
                detail: """
                    This exchange was imported, and \(origin) is no backend \
                    of an app here. Only those of manifests and settings are \
                    talked to.
                    """)
        }
        return origin
    }
}
