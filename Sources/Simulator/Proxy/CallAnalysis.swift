import Apps
import Traffic
import Web

/// What can be told of an exchange that passed through: which call it was,
/// and what in it is secret.
struct CallAnalysis {
    /// Nil if the app has no such call.
    let matchedCall: MatchedCall?
    private(set) var passwords: [String] = []
    private(set) var tokens: [String] = []
    /// Why the request's body is not kept; nil if it is.
    private let bodyWithheldReason: String?

    init(
        _ sent: OutboundRequest, isComplete: Bool, _ passage: ProxyRequest,
        _ response: UpstreamResponse?,
        _ context: ActionContext, _ book: CallMatcher
    ) {
        var found = SecretFields(passwordFields: context.app.passwordFields)
        found.read(passage.query)
        found.read(sent.headers)
        let type = sent.headers["Content-Type"] ?? ""
        bodyWithheldReason =
            isComplete
            ? found.read(request: sent.body, type) : found.withholdReason(forPartOf: sent.body)
        let seen = ObservedRequest(
            sent, path: passage.path, query: passage.query, isComplete: isComplete)
        let known = Self.choose(book.matchedCalls(for: seen), context)
        self.matchedCall = known
        passwords = found.passwords
        tokens = found.tokens + [seen.bearer].compactMap(\.self)
        let hidden = context.app.passwordFields
        for (name, value) in known?.variables ?? [:] {
            guard let text = value.scalarText, !text.isEmpty else { continue }
            if hidden.contains(name) {
                passwords.append(text)
            } else if context.app.isToken(name) {
                tokens.append(text)
            }
        }
        guard let response else { return }
        if let known, case .success(let captured) = known.call.interpret(response) {
            tokens += captured.filter { context.app.isToken($0.key) }.compactMap(\.value.scalarText)
        }
        var told = SecretFields()
        told.read(response.headers)
        told.read(response: response.body, response.headers["Content-Type"] ?? "")
        tokens += told.tokens
        passwords += told.passwords
    }

    /// As it is recorded.
    func context(_ instance: AppInstance, _ context: ActionContext) -> ExchangeContext {
        var exchangeContext = ExchangeContext(
            workspace: instance.workspace, app: instance.app, device: instance.device,
            backend: context.backend, call: matchedCall?.name ?? "other", cause: .proxied,
            passwords: passwords, tokens: tokens + context.secrets)
        exchangeContext.bodyWithheldReason = bodyWithheldReason
        exchangeContext.accessToken = matchedCall?.variables[App.accessTokenName]?.scalarText
        if let known = matchedCall, known.name == context.app.session.refreshCall {
            exchangeContext.refreshToken = known.variables[App.refreshTokenName]?.scalarText
        }
        return exchangeContext
    }

    /// What the request says where the call has fields; neither tokens nor
    /// what the device knows by itself.
    func fields(of app: App) -> [String: JSON] {
        let settings = Set(app.settings.map(\.name))
        return (matchedCall?.variables ?? [:]).filter { name, _ in
            !app.isToken(name) && !settings.contains(name) && !name.contains(".")
        }
    }

    /// Of calls that are asked alike, the one that the screen shown now has
    /// a button for.
    private static func choose(_ calls: [MatchedCall], _ context: ActionContext) -> MatchedCall? {
        let screen = context.app.screen(context.persisted.screen)
        return calls.first { call in
            screen?.allActions.contains { $0.calls.contains(call.name) } ?? false
        } ?? calls.first
    }
}
