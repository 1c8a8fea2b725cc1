import Backend
import Simulator
import Surroundings
import Web

/// `/tokens`: a pasted token taken apart, or two compared.
///
/// What is pasted comes in a form's body and leaves with the answer: it is in
/// no address, no event and no file.
struct TokensPages: Sendable {
    let services: Services
    let visitors: Visitors
    let frames: FrameBuilder

    var routes: [Route] {
        [Route(.get, "/tokens", handler: show), Route(.post, "/tokens", handler: inspect)]
    }

    /// Longer than any app's token.
    static let limit = 64 << 10

    @Sendable private func show(_ visit: Visit) async throws -> Response {
        let part = try visit.query(allowing: ["part"])["part"]
        return try answer(try await model(visit), part)
    }

    @Sendable private func inspect(_ visit: Visit) async throws -> Response {
        let form = try Form(visit.request)
        var model = try await model(visit)
        let texts = ["token", "second"].map { name in Self.bare(form[name] ?? "") }
        guard !texts[0].isEmpty else {
            model.error = "Paste a token first."
            return try answer(model, nil, status: 422)
        }
        guard texts.allSatisfy({ $0.utf8.count <= Self.limit }) else {
            model.error = "A token here may have \(Words.count(Self.limit)) bytes."
            return try answer(model, nil, status: 422)
        }
        let now = services.now(in: try visitors.workspace(of: visit))
        let readings = texts.filter { !$0.isEmpty }.map {
            TokenReading($0, backend: services.backend, now: now)
        }
        model.result = TokensModel.Result(
            cards: readings.enumerated().map { index, reading in
                TokensModel.Card(reading, index: index)
            },
            diff: readings.count > 1
                ? TokenDiffModel(
                    TokenDiff(before: readings[0].held.parts, after: readings[1].held.parts),
                    before: "First", after: "Second") : nil)
        return try answer(model, nil)
    }

    /// Without the scheme and white space people paste with it.
    static func bare(_ text: String) -> String {
        var text = text.filter { !$0.isWhitespace }
        if text.lowercased().hasPrefix("authorization:") {
            text.removeFirst("authorization:".count)
        }
        if text.lowercased().hasPrefix("bearer"), text.contains(".") {
            text.removeFirst("bearer".count)
        }
        return text
    }

    private func model(_ visit: Visit) async throws -> TokensModel {
        TokensModel(
            frame: try await frames.frame(
                "Tokens", place: "sessions", workspace: try visitors.workspace(of: visit),
                csrf: visit.csrf, partURL: Links.part(Links.tokens, [])), csrf: visit.csrf,
            action: Links.tokens, error: nil, result: nil)
    }

    private func answer(_ model: TokensModel, _ part: String?, status: Int = 200) throws -> Response
    {
        var response = try PageParts(
            templates: services.templates, page: "tokens/tokens", parts: [:]
        ).answer(part, model, frame: model.frame)
        response.status = status
        return response
    }
}

extension TokensModel.Card {
    init(_ reading: TokenReading, index: Int) {
        let held = reading.held
        let name = index == 0 ? "Token" : "Second token"
        let position = TokenModel.Position(
            testID: index == 0 ? "tokens.first" : "tokens.second", key: nil, swap: "",
            revealURL: { _ in "" }, hideURL: "", copyURL: { _ in "" }, revealed: nil)
        var card = TokenModel.access(held, verdict: reading.verdict, at: position, now: reading.now)
        card.name = name
        card.domID = "token-\(index)"
        self.init(
            card: card, headerFacts: FactModel.list(held.header), reason: reading.verdict.reason,
            expiryText: Self.words(reading),
            unchecked: reading.unchecked.map { FactModel($0.what, $0.why) })
    }

    private static func words(_ reading: TokenReading) -> String {
        let end = reading.held.expiresAt.map(Words.moment) ?? ""
        return switch reading.expiry {
        case .valid: "Its time is not over: it ends \(end)."
        case .expired: "Its time is over: it ended \(end)."
        case .notYet: "Its time has not come yet."
        case .noEnd: "It tells no end."
        case .unknown: "An opaque token tells no end."
        }
    }
}
