package import Apps
import Core
import FoundationEssentials
package import Traffic
package import Web

/// Resends a recorded request, unchanged or edited.
///
/// It is sent only to its original server, and recorded. The device it came from is not affected.
package struct Resend: Sendable {
    private let exchanges: ExchangeStore
    private let recorder: Recorder
    private let catalog: AppCatalog
    /// The embedded backend's address.
    private let backendBase: String

    package init(
        exchanges: ExchangeStore, recorder: Recorder, catalog: AppCatalog, backendBase: String
    ) {
        self.exchanges = exchanges
        self.recorder = recorder
        self.catalog = catalog
        self.backendBase = backendBase
    }

    /// The edited parts; nil means unchanged.
    package struct Edit: Sendable {
        package var method: String?
        /// Path and query; an absolute URL must have the same origin.
        package var path: String?
        package var headers: [Headers.Field]?
        package var body: String?
        /// Replaces `‹password›` everywhere, because passwords are never recorded.
        package var password: String?

        package init() {}

        var isEmpty: Bool { method == nil && path == nil && headers == nil && body == nil }
    }

    /// Sends the request of an exchange; returns the new exchange's id.
    package func send(_ detail: ExchangeDetail, _ edit: Edit = Edit()) async throws -> String {
        let origin = try allowedOrigin(of: detail.exchange)
        let tokens = try await exchanges.unmaskedTokens(of: detail)
        let request = try ResendRequest(detail: detail, origin: origin, tokens: tokens, edit: edit)
            .makeRequest()
        let recorded = await recorder.send(
            request, as: context(detail.exchange, request, tokens, edit))
        return recorded.id
    }

    private func context(
        _ exchange: Exchange, _ request: OutboundRequest, _ tokens: [String], _ edit: Edit
    ) -> ExchangeContext {
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
                responseSecrets.read(response)
                return responseSecrets.tokens + responseSecrets.passwords
            })
        exchangeContext.bodyWithheldReason = withheldReason
        return exchangeContext
    }

    /// For instance `https://api.example.com`. An imported exchange can only be sent to one of the
    /// app's own backends, because no user has chosen to connect to its server before.
    private func allowedOrigin(of exchange: Exchange) throws(Problem) -> String {
        let origin = URLParts(exchange.url).origin
        guard exchange.cause == .imported else { return origin }
        let baseURLs =
            catalog.app(exchange.app)?.backends.map {
                $0.baseURL(embeddedAt: backendBase, workspace: exchange.workspace)
            } ?? []
        guard baseURLs.contains(where: { URLParts($0).origin == origin }) else {
            throw Problem(
                status: 409, code: "unknown-upstream", title: "Server not allowed",
                detail: """
                    This request was imported, and \(origin) is not a backend of an app. Only \
                    backends of manifests and settings are allowed.
                    """)
        }
        return origin
    }
}
