import Apps
import Traffic
import Web

/// Analyzes a proxied exchange: which call it matches, and which secrets it contains.
struct CallAnalysis {
    /// Nil if the app has no matching call.
    let matchedCall: MatchedCall?
    private(set) var passwords: [String] = []
    private(set) var tokens: [String] = []
    /// Why the request body is not stored; nil if it is.
    private let bodyWithheldReason: String?

    init(
        _ request: OutboundRequest, isComplete: Bool, _ proxyRequest: ProxyRequest,
        _ response: UpstreamResponse?,
        _ context: ActionContext, _ matcher: CallMatcher
    ) {
        var secrets = SecretFields(passwordFields: context.app.passwordFields)
        secrets.read(proxyRequest.query)
        secrets.read(request.headers)
        let type = request.headers["Content-Type"] ?? ""
        bodyWithheldReason =
            isComplete
            ? secrets.read(request: request.body, type)
            : secrets.withholdReason(forPartOf: request.body)
        let observed = ObservedRequest(
            request, path: proxyRequest.path, query: proxyRequest.query, isComplete: isComplete)
        let matched = Self.choose(matcher.matchedCalls(for: observed), context)
        self.matchedCall = matched
        passwords = secrets.passwords
        tokens = secrets.tokens + [observed.bearer].compactMap(\.self)
        let passwordFields = context.app.passwordFields
        for (name, value) in matched?.variables ?? [:] {
            guard let text = value.scalarText, !text.isEmpty else { continue }
            if passwordFields.contains(name) {
                passwords.append(text)
            } else if context.app.isToken(name) {
                tokens.append(text)
            }
        }
        guard let response else { return }
        if let matched, case .success(let captured) = matched.call.interpret(response) {
            tokens += captured.filter { context.app.isToken($0.key) }.compactMap(\.value.scalarText)
        }
        var responseSecrets = SecretFields()
        responseSecrets.read(response.headers)
        responseSecrets.read(response: response.body, response.headers["Content-Type"] ?? "")
        tokens += responseSecrets.tokens
        passwords += responseSecrets.passwords
    }

    /// The context for recording the exchange.
    func context(_ instance: AppInstance, _ context: ActionContext) -> ExchangeContext {
        var exchangeContext = ExchangeContext(
            workspace: instance.workspace, app: instance.app, device: instance.device,
            backend: context.backend, call: matchedCall?.name ?? "other", cause: .proxied,
            passwords: passwords, tokens: tokens + context.secrets)
        exchangeContext.bodyWithheldReason = bodyWithheldReason
        exchangeContext.accessToken = matchedCall?.variables[App.accessTokenName]?.scalarText
        if let matched = matchedCall, matched.name == context.app.session.refreshCall {
            exchangeContext.refreshToken = matched.variables[App.refreshTokenName]?.scalarText
        }
        return exchangeContext
    }

    /// The values of the request that fill the call's fields, without tokens and without values the
    /// device provides itself.
    func fields(of app: App) -> [String: JSON] {
        let settings = Set(app.settings.map(\.name))
        return (matchedCall?.variables ?? [:]).filter { name, _ in
            !app.isToken(name) && !settings.contains(name) && !name.contains(".")
        }
    }

    /// Of several matching calls, prefers one that an action of the current screen makes.
    private static func choose(_ calls: [MatchedCall], _ context: ActionContext) -> MatchedCall? {
        let screen = context.app.screen(context.persisted.screen)
        return calls.first { call in
            screen?.allActions.contains { $0.calls.contains(call.name) } ?? false
        } ?? calls.first
    }
}
