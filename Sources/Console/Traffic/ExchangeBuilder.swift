import Apps
import FoundationEssentials
import Simulator
import Surroundings
import Traffic
import Web

/// Gathers what the page of one exchange shows.
struct ExchangeBuilder {
    let services: Services
    let frames: FrameBuilder
    let detail: ExchangeDetail
    let csrf: String

    private var exchange: Exchange { detail.exchange }
    private var app: App? { services.catalogue.app(exchange.app) }

    func build() async throws -> ExchangeModel {
        let page = Links.exchange(exchange.id)
        let partURL = Links.part(page, [])
        let base = services.base(
            ofBackend: exchange.backend, app: exchange.app, workspace: exchange.workspace)
        let name =
            exchange.method + " " + detail.masked(ExchangeRowModel.path(exchange, base: base))
        let now = services.world.now()
        let phases = ExchangeModel.phases(exchange)
        let total = Words.phase(exchange.timings.total)
        let answered = exchange.status != nil
        let cards = try await TokenCards(services: services, detail: detail)
        let joined = try await services.exchanges.chain(of: exchange.id, in: exchange.workspace)
        let attempts = ExchangeModel.attempts(at: exchange, among: joined)
        let device = try await services.simulator.device(exchange.device, in: exchange.workspace)
        return ExchangeModel(
            frame: try await frames.frame(
                name, place: "traffic", workspace: exchange.workspace, csrf: csrf, partURL: partURL),
            csrf: csrf, partURL: partURL, methodAndPath: name, chips: chips,
            newerURL: try await neighbour { $0.after = exchange.sequence },
            olderURL: try await neighbour { $0.before = exchange.sequence },
            harURL: Links.exchange(exchange.id, "har"),
            resendURL: Links.exchange(exchange.id, "resend"), previousURL: try await previous(),
            curlURL: Links.exchange(exchange.id, "curl"),
            glyph: app.map(GlyphModel.init) ?? .unknown(exchange.app),
            appName: app?.name ?? exchange.app,
            device: device?.label ?? Words.short(exchange.device),
            fullURL: detail.masked(exchange.url), at: exchange.startedAt.iso8601,
            time: Words.clockMilliseconds(exchange.startedAt),
            ago: Words.ago(exchange.startedAt, now), total: total,
            timingSaid: ExchangeModel.timingSaid(phases, total: total), phases: phases,
            requestNote: note(detail.requestHeaders, detail.requestBody),
            requestHeaders: headers(detail.requestHeaders, cards),
            requestBody: ReadableBody.text(detail.requestBody, detail.requestHeaders, detail),
            requestTokens: cards.cards(inURL: exchange.url)
                + cards.cards(inBody: detail.requestBody.text ?? ""),
            answerTitle: answered ? "Answer" : "No answer",
            answerNote: answered ? note(detail.responseHeaders, detail.responseBody) : "",
            failureText: exchange.failure.map { failure in
                failure.detail.isEmpty ? failure.kind.rawValue : failure.detail
            },
            answerBody: answered
                ? ReadableBody.text(detail.responseBody, detail.responseHeaders, detail) : nil,
            answerTokens: cards.cards(inBody: detail.responseBody.text ?? ""),
            anyAnswerHeaders: answered && !detail.responseHeaders.fields.isEmpty,
            answerHeaders: headers(detail.responseHeaders, cards), curlNote: curlNote,
            curl: Curl.command(detail),
            rejection: try await services.refusal(of: detail).map {
                RejectionBuilder(detail: detail, refusal: $0).build()
            }, attempts: attempts, anyAttempts: !attempts.isEmpty,
            rawURL: Links.exchange(exchange.id, "text"),
            rawWholeURL: detail.tokens.isEmpty ? nil : Links.exchange(exchange.id, "text/whole"),
            facts: try await ExchangeFacts(services: services, detail: detail, base: base).list(),
            chain: ExchangeChain(services: services, exchange: exchange, joined: joined).steps(),
            thread: thread)
    }

    // MARK: The bar

    private var chips: [ChipModel] {
        let tone: ChipModel.Tone =
            switch exchange.status {
            case nil, .some(400...): .bad
            case .some(200..<300): .ok
            default: .neutral
            }
        let answer = ChipModel(text: exchange.status.map(Words.status) ?? "no answer", tone: tone)
        return [answer] + ExchangeRowModel.chips(exchange)
    }

    /// The exchange next to this one in the workspace.
    private func neighbour(_ change: (inout ExchangeQuery) -> Void) async throws -> String? {
        var query = ExchangeQuery(workspace: exchange.workspace)
        query.limit = 1
        change(&query)
        return try await services.exchanges.list(query).items.first.map { Links.exchange($0.id) }
    }

    /// Compares with the one before of the same call, app and device.
    private func previous() async throws -> String? {
        var query = ExchangeQuery(workspace: exchange.workspace)
        query.app = exchange.app
        query.device = exchange.device
        query.call = exchange.call
        query.before = exchange.sequence
        query.limit = 1
        return try await services.exchanges.list(query).items.first.map {
            Links.difference($0.id, exchange.id)
        }
    }

    // MARK: Messages

    /// `3 headers, application/json, 54 B`, and how much of it is kept.
    private func note(_ headers: Headers, _ body: ExchangeDetail.Recorded) -> String {
        var parts = [Words.count(headers.fields.count, "header")]
        if body.length == 0 {
            parts.append("no body")
        } else {
            if let type = headers["Content-Type"] {
                parts.append(String(type.prefix { $0 != ";" }))
            }
            parts.append(Words.size(body.length))
            if body.truncated { parts.append("the first \(Words.size(body.bytes.count)) kept") }
        }
        return parts.joined(separator: ", ")
    }

    /// What in the command does not stand as it was sent.
    private var curlNote: String {
        let blank = detail.tokens.map { _ in "" }
        let isMasked = Curl.command(detail, tokens: blank) != Curl.command(detail)
        return switch (isMasked, ResendForm.lacksPassword(detail)) {
        case (false, false): "nothing in it is masked"
        case (false, true): "the password is not recorded; put it in"
        case (true, false): "masked here, whole when copied"
        case (true, true):
            "tokens are masked here, whole when copied; the password is not "
                + "recorded, put it in"
        }
    }

    private func headers(_ headers: Headers, _ cards: TokenCards) -> [ExchangeModel.Header] {
        headers.fields.map { field in
            .init(
                headerName: field.name, headerValue: detail.masked(field.value),
                bearer: card(field, cards))
        }
    }

    /// A bearer's whatever it is, any other field's if it is a JWT.
    private func card(_ field: Headers.Field, _ cards: TokenCards) -> ExchangeModel.Bearer? {
        if let index = detail.bearer(in: field) { return cards.card(index) }
        return cards.numbers(in: field.value).first(where: cards.isJWT).map { cards.card($0) }
    }

    // MARK: What hangs together with it

    private var thread: ThreadModel {
        let graph = EventGraph(services.hub.events(in: exchange.workspace))
        return ThreadModel(
            graph, around: graph.newest([.exchange], subject: exchange.id),
            roots: services.roots(in: exchange.workspace))
    }
}
