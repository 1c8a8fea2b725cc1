import Backend
import Inspection
import Simulator
import Templates
import Web

/// `/tokens`: decodes a pasted token, or compares two.
///
/// Tokens are sent in a form's body and not stored: they appear in no URL, event or file.
struct TokensPages: Sendable {
    let services: Services

    var routes: [Route] {
        [
            .page(Links.tokens) { try await response(to: $0, [:]) },
            Route(.post, Links.tokens, handler: inspect),
        ]
    }

    /// Larger than any app's token.
    static let maxTokenBytes = 64 << 10

    @Sendable private func inspect(_ context: RequestContext) async throws -> Response {
        let form = try Form(context.request)
        let texts = ["token", "second"].map { name in Self.strippedToken(form[name] ?? "") }
        guard !texts[0].isEmpty else {
            return try await response(to: context, ["error": "Paste a token first."], status: 422)
        }
        guard texts.allSatisfy({ $0.utf8.count <= Self.maxTokenBytes }) else {
            let error = "A token may have at most \(Format.count(Self.maxTokenBytes)) bytes."
            return try await response(to: context, ["error": error], status: 422)
        }
        let now = services.now(in: try services.workspace(of: context))
        let inspections = texts.filter { !$0.isEmpty }.map {
            TokenInspection($0, backend: services.backend, now: now)
        }
        let result: TemplateModel = [
            "cards": inspections.enumerated().map { card($0.element, index: $0.offset) },
            "diff": inspections.count > 1
                ? TokenDiff(
                    before: inspections[0].token.comparedParts,
                    after: inspections[1].token.comparedParts
                ).model(before: "First", after: "Second") : nil,
        ]
        return try await response(to: context, ["result": result])
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

    private func response(to context: RequestContext, _ model: TemplateModel, status: Int = 200)
        async throws -> Response
    {
        let page = Page(
            title: "Token inspector", navItem: "tokens", url: Links.tokens, model: model)
        return try await services.respond(to: context, page, "tokens/tokens", status: status)
    }

    private func card(_ inspection: TokenInspection, index: Int) -> TemplateModel {
        let summary = inspection.token
        let card = TokenCard(
            name: "Access token",
            testID: index == 0 ? "tokens.first.access" : "tokens.second.access", id: String(index),
            summary: summary, verdict: TokenCard.verdictChip(inspection.verdict, summary),
            now: inspection.now)
        return [
            "card": card.model(title: index == 0 ? "Token" : "Second token"),
            "headerDetails": DetailModel.list(summary.header),
            // Where the key is from, or why there is none.
            "reason": inspection.verdict.reason, "expiryText": expiryDescription(inspection),
            "unchecked": inspection.unchecked.map {
                DetailModel($0.name.capitalizedFirst, $0.reason)
            },
        ]
    }

    private func expiryDescription(_ inspection: TokenInspection) -> String {
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
