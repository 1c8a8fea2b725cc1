import Backend
import Core
import Inspection
import Simulator
import Web

/// `/tokens`: decodes a pasted token, or compares two.
///
/// Tokens are sent in a form's body and not stored: they appear in no URL, event or file.
struct TokensPages: Sendable {
    let services: Services

    var routes: [Route] {
        [Route(.get, Links.tokens, handler: show), Route(.post, Links.tokens, handler: inspect)]
    }

    /// Larger than any app's token.
    static let maxTokenBytes = 64 << 10

    @Sendable private func show(_ context: RequestContext) async throws -> Response {
        _ = try context.query(allowing: ["part"])
        return try await response(to: context, TokensModel())
    }

    @Sendable private func inspect(_ context: RequestContext) async throws -> Response {
        let form = try Form(context.request)
        var model = TokensModel()
        let texts = ["token", "second"].map { name in Self.strippedToken(form[name] ?? "") }
        guard !texts[0].isEmpty else {
            model.error = "Paste a token first."
            return try await response(to: context, model, status: 422)
        }
        guard texts.allSatisfy({ $0.utf8.count <= Self.maxTokenBytes }) else {
            model.error = "A token may have at most \(Format.count(Self.maxTokenBytes)) bytes."
            return try await response(to: context, model, status: 422)
        }
        let now = services.now(in: try services.workspace(of: context))
        let inspections = texts.filter { !$0.isEmpty }.map {
            TokenInspection($0, backend: services.backend, now: now)
        }
        model.result = TokensModel.Result(
            cards: inspections.enumerated().map { .init($0.element, index: $0.offset) },
            diff: inspections.count > 1
                ? TokenDiffModel(
                    TokenDiff(
                        before: inspections[0].token.comparedParts,
                        after: inspections[1].token.comparedParts),
                    before: "First", after: "Second") : nil)
        return try await response(to: context, model)
    }

    /// Removes the scheme and white space pasted with a token.
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

    private func response(to context: RequestContext, _ model: TokensModel, status: Int = 200)
        async throws -> Response
    {
        let page = Page("Token inspector", navItem: "sessions", url: Links.tokens, model)
        return try await services.respond(to: context, page, "tokens/tokens", status: status)
    }
}

extension TokensModel.Card {
    init(_ inspection: TokenInspection, index: Int) {
        let summary = inspection.token
        let name = index == 0 ? "Token" : "Second token"
        var card = TokenModel(
            "Access token", testID: index == 0 ? "tokens.first.access" : "tokens.second.access",
            id: String(index), summary, now: inspection.now)
        card.name = name
        card.verdict = TokenModel.verdictChip(inspection.verdict, summary)
        self.init(
            card: card, headerDetails: DetailModel.list(summary.header),
            reason: inspection.verdict.reason, expiryText: Self.expiryDescription(inspection),
            unchecked: inspection.unchecked.map { DetailModel($0.name.capitalizedFirst, $0.reason) }
        )
    }

    private static func expiryDescription(_ inspection: TokenInspection) -> String {
        let expiryTime = inspection.token.expiresAt.map(Format.dateTime) ?? ""
        return switch inspection.expiry {
        case .valid: "Valid until \(expiryTime)."
        case .expired: "Expired \(expiryTime)."
        case .notYetValid: "Not valid yet."
        case .noExpiry: "No expiry."
        case .unknown: "Unknown expiry."
        }
    }
}

/// The token inspector (`tokens/tokens`).
struct TokensModel: Encodable, Sendable {
    let action = Links.tokens
    /// Nil if the input is valid.
    var error: String?
    /// Nil before a token is pasted.
    var result: Result?

    struct Result: Encodable, Sendable {
        /// One card per token.
        var cards: [Card]
        /// Nil for a single token.
        var diff: TokenDiffModel?
    }

    struct Card: Encodable, Sendable {
        var card: TokenModel
        var headerDetails: [DetailModel]
        /// Where the key is from, or why there is none.
        var reason: String
        /// `Valid until 14:39:02.`
        var expiryText: String
        var unchecked: [DetailModel]
    }
}
