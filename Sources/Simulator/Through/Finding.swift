import Apps
import Traffic
import Web

/// What can be told of an exchange that passed through: which call it was,
/// and what in it is secret.
struct Finding {
    /// Nil if the app has no such call.
    let known: Recognised?
    private(set) var passwords: [String] = []
    private(set) var tokens: [String] = []
    /// Why the request's body is not kept; nil if it is.
    private let withheld: String?

    init(
        _ sent: OutboundRequest, isWhole: Bool, _ passage: Passage, _ answer: Answer?,
        _ facts: Facts, _ book: CallBook
    ) {
        var found = SecretFields(named: facts.app.passwordFields)
        found.read(passage.query)
        found.read(sent.headers)
        let type = sent.headers["Content-Type"] ?? ""
        withheld =
            isWhole ? found.read(request: sent.body, type) : found.objection(toPartOf: sent.body)
        let seen = Seen(sent, path: passage.path, query: passage.query, isWhole: isWhole)
        let known = Self.choose(book.recognise(seen), facts)
        self.known = known
        passwords = found.passwords
        tokens = found.tokens + [seen.bearer].compactMap(\.self)
        let hidden = facts.app.passwordFields
        for (name, value) in known?.variables ?? [:] {
            guard let text = value.text, !text.isEmpty else { continue }
            if hidden.contains(name) {
                passwords.append(text)
            } else if facts.app.isToken(name) {
                tokens.append(text)
            }
        }
        guard let answer else { return }
        if let known, case .success(let captured) = known.call.read(answer) {
            tokens += captured.filter { facts.app.isToken($0.key) }.compactMap(\.value.text)
        }
        var told = SecretFields()
        told.read(answer.headers)
        told.read(answer: answer.body, answer.headers["Content-Type"] ?? "")
        tokens += told.tokens
        passwords += told.passwords
    }

    /// As it is recorded.
    func context(_ place: Place, _ facts: Facts) -> ExchangeContext {
        var context = ExchangeContext(
            workspace: place.workspace, app: place.app, device: place.device,
            backend: facts.backend, call: known?.name ?? "other", cause: .through,
            passwords: passwords, tokens: tokens + facts.secrets)
        context.withheld = withheld
        context.accessToken = known?.variables[App.accessToken]?.text
        if let known, known.name == facts.app.session.refresh {
            context.refreshToken = known.variables[App.refreshToken]?.text
        }
        return context
    }

    /// What the request says where the call has fields; neither tokens nor
    /// what the device knows by itself.
    func fields(of app: App) -> [String: JSON] {
        let settings = Set(app.settings.map(\.name))
        return (known?.variables ?? [:]).filter { name, _ in
            !app.isToken(name) && !settings.contains(name) && !name.contains(".")
        }
    }

    /// Of calls that are asked alike, the one that the screen shown now has
    /// a button for.
    private static func choose(_ calls: [Recognised], _ facts: Facts) -> Recognised? {
        let screen = facts.app.screen(facts.kept.screen)
        return calls.first { call in
            screen?.allActions.contains { $0.calls.contains(call.name) } ?? false
        } ?? calls.first
    }
}
