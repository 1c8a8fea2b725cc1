import Backend
import Core
import Simulator
import Web

/// `/tokens`: a pasted token taken apart, or two compared.
///
/// What is pasted comes in a form's body and leaves with the answer: it is in
/// no address, no event and no file.
struct TokensPages: Sendable {
    let services: Services
    let scopeResolver: ScopeResolver
    let frames: FrameBuilder

    var routes: [Route] {
        [Route(.get, "/tokens", handler: show), Route(.post, "/tokens", handler: inspect)]
    }

    /// Longer than any app's token.
    static let maxTokenBytes = 64 << 10

    @Sendable private func show(_ context: RequestContext) async throws -> Response {
        let part = try context.query(allowing: ["part"])["part"]
        return try response(try await model(context), part)
    }

    @Sendable private func inspect(_ context: RequestContext) async throws -> Response {
        let form = try Form(context.request)
        var model = try await model(context)
        let texts = ["token", "second"].map { name in Self.strippedToken(form[name] ?? "") }
        guard !texts[0].isEmpty else {
            model.error = "Paste a token first."
            return try response(model, nil, status: 422)
        }
        guard texts.allSatisfy({ $0.utf8.count <= Self.maxTokenBytes }) else {
            model.error = "A token here may have \(Format.count(Self.maxTokenBytes)) bytes."
            return try response(model, nil, status: 422)
        }
        let now = services.now(in: try scopeResolver.workspace(of: context))
        let readings = texts.filter { !$0.isEmpty }.map {
            TokenInspection($0, backend: services.backend, now: now)
        }
        model.result = TokensModel.Result(
            cards: readings.enumerated().map { index, reading in
                TokensModel.Card(reading, index: index)
            },
            diff: readings.count > 1
                ? TokenDiffModel(
                    TokenDiff(
                        before: readings[0].token.comparedParts,
                        after: readings[1].token.comparedParts),
                    before: "First", after: "Second") : nil)
        return try response(model, nil)
    }

    /// Without the scheme and white space people paste with it.
    static func strippedToken(_ text: String) -> String {
        var text = text.filter { !$0.isWhitespace }
        if text.lowercased().hasPrefix("authorization:") {
            text.removeFirst("authorization:".count)
        }
        if text.lowercased().hasPrefix("bearer"), text.contains(".") {
            text.removeFirst("bearer".count)
        }
        return text
    }

    private func model(_ context: RequestContext) async throws -> TokensModel {
        TokensModel(
            frame: try await frames.frame(
                "Tokens", navItem: "sessions", workspace: try scopeResolver.workspace(of: context),
                csrfToken: context.csrfToken, partURL: Links.partURL(Links.tokens, [])),
            csrf: context.csrfToken,
            action: Links.tokens, error: nil, result: nil)
    }

    private func response(_ model: TokensModel, _ part: String?, status: Int = 200) throws
        -> Response
    {
        var response = try PageRenderer(
            templates: services.templates, pageTemplate: "tokens/tokens", partTemplates: [:]
        ).response(part, model, frame: model.frame)
        response.status = status
        return response
    }
}

extension TokensModel.Card {
    init(_ reading: TokenInspection, index: Int) {
        let summary = reading.token
        let name = index == 0 ? "Token" : "Second token"
        let position = TokenModel.CardContext(
            testID: index == 0 ? "tokens.first" : "tokens.second", key: nil, swapPart: "",
            revealURL: { _ in "" }, hideURL: "", copyURL: { _ in "" }, revealed: nil)
        var card = TokenModel.access(
            summary, verdict: reading.verdict, context: position, now: reading.now)
        card.name = name
        card.domID = "token-\(index)"
        self.init(
            card: card, headerDetails: DetailModel.list(summary.header),
            reason: reading.verdict.reason,
            expiryText: Self.expiryDescription(reading),
            unchecked: reading.unchecked.map { DetailModel($0.what, $0.why) })
    }

    private static func expiryDescription(_ reading: TokenInspection) -> String {
        let end = reading.token.expiresAt.map(Format.dateTime) ?? ""
        return switch reading.expiry {
        case .valid: "Its time is not over: it ends \(end)."
        case .expired: "Its time is over: it ended \(end)."
        case .notYetValid: "Its time has not come yet."
        case .noExpiry: "It tells no end."
        case .unknown: "An opaque token tells no end."
        }
    }
}
