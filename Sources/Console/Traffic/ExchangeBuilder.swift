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
            ofBackend: exchange.backend, app: exchange.app,
            workspace: exchange.workspace)
        let name = exchange.method + " "
            + detail.masked(ExchangeRowModel.path(exchange, base: base))
        let now = services.world.now()
        let phases = ExchangeModel.phases(exchange)
        let total = Words.phase(exchange.timings.total)
        let answered = exchange.status != nil
        let device = try await services.simulator.device(
            exchange.device, in: exchange.workspace)
        return ExchangeModel(
            frame: try await frames.frame(
                name, place: "traffic", workspace: exchange.workspace,
                csrf: csrf, partURL: partURL),
            csrf: csrf, partURL: partURL, methodAndPath: name, chips: chips,
            newerURL: try await neighbour { $0.after = exchange.sequence },
            olderURL: try await neighbour { $0.before = exchange.sequence },
            harURL: Links.exchange(exchange.id, "har"),
            curlURL: Links.exchange(exchange.id, "curl"),
            glyph: app.map(GlyphModel.init) ?? .unknown(exchange.app),
            appName: app?.name ?? exchange.app,
            device: device?.label ?? Words.short(exchange.device),
            fullURL: detail.masked(exchange.url),
            at: exchange.startedAt.iso8601,
            time: Words.clockMilliseconds(exchange.startedAt),
            ago: Words.ago(exchange.startedAt, now), total: total,
            timingSaid: ExchangeModel.timingSaid(phases, total: total),
            phases: phases,
            requestNote: note(detail.requestHeaders, detail.requestBody),
            requestHeaders: try await headers(detail.requestHeaders),
            requestBody: body(detail.requestBody),
            answerTitle: answered ? "Answer" : "No answer",
            answerNote: answered
                ? note(detail.responseHeaders, detail.responseBody) : "",
            failureText: exchange.failure.map { failure in
                failure.detail.isEmpty
                    ? failure.kind.rawValue : failure.detail
            },
            answerBody: answered ? body(detail.responseBody) : nil,
            anyAnswerHeaders: answered
                && !detail.responseHeaders.fields.isEmpty,
            answerHeaders: detail.responseHeaders.fields.map {
                .init(
                    headerName: $0.name, headerValue: detail.masked($0.value),
                    bearer: nil)
            },
            curlNote: detail.tokens.isEmpty
                ? "nothing in it is masked" : "masked here, whole when copied",
            curl: Curl.command(detail), facts: try await facts(base),
            chain: try await ExchangeChain(
                services: services, exchange: exchange
            ).steps())
    }

    // MARK: The bar

    private var chips: [ChipModel] {
        let tone: ChipModel.Tone = switch exchange.status {
        case nil, .some(400...): .bad
        case .some(200..<300): .ok
        default: .neutral
        }
        let answer = ChipModel(
            text: exchange.status.map(Words.status) ?? "no answer", tone: tone)
        return [answer] + ExchangeRowModel.chips(exchange)
    }

    /// The exchange next to this one in the workspace.
    private func neighbour(
        _ change: (inout ExchangeQuery) -> Void
    ) async throws -> String? {
        var query = ExchangeQuery(workspace: exchange.workspace)
        query.limit = 1
        change(&query)
        return try await services.exchanges.list(query).items.first.map {
            Links.exchange($0.id)
        }
    }

    // MARK: Messages

    /// `3 headers, application/json, 54 B`, and how much of it is kept.
    private func note(
        _ headers: Headers, _ body: ExchangeDetail.Recorded
    ) -> String {
        var parts = [Words.count(headers.fields.count, "header")]
        if body.length == 0 {
            parts.append("no body")
        } else {
            if let type = headers["Content-Type"] {
                parts.append(String(type.prefix { $0 != ";" }))
            }
            parts.append(Words.size(body.length))
            if body.truncated {
                parts.append("the first \(Words.size(body.bytes.count)) kept")
            }
        }
        return parts.joined(separator: ", ")
    }

    private func body(_ body: ExchangeDetail.Recorded) -> String? {
        guard body.length > 0 else { return nil }
        guard let text = body.text else {
            return "\(Words.size(body.length)) that are no text"
        }
        let masked = detail.masked(text)
        return IndentedJSON.text(masked) ?? masked
    }

    private func headers(
        _ headers: Headers
    ) async throws -> [ExchangeModel.Header] {
        var lines: [ExchangeModel.Header] = []
        for field in headers.fields {
            lines.append(
                .init(
                    headerName: field.name,
                    headerValue: detail.masked(field.value),
                    bearer: try await bearer(field)))
        }
        return lines
    }

    /// The token of an Authorization field, opened to be taken apart.
    private func bearer(
        _ field: Headers.Field
    ) async throws -> ExchangeModel.Bearer? {
        guard field.name.lowercased() == "authorization",
            field.value.lowercased().hasPrefix("bearer "),
            let index = index(in: field.value)
        else { return nil }
        let token = try await services.exchanges.reveal(
            token: index, of: exchange.id, in: exchange.workspace)
        return BearerBuilder(
            services: services, exchange: exchange, token: token,
            masked: detail.tokens[index]
        ).build()
    }

    /// Which of the exchange's tokens stands alone behind `Bearer `.
    private func index(in value: String) -> Int? {
        let numbered = detail.filled(
            value, with: detail.tokens.indices.map(String.init))
        guard numbered != value,
            let index = Int(numbered.dropFirst("bearer ".count)),
            detail.tokens.indices.contains(index)
        else { return nil }
        return index
    }

    // MARK: Why it left

    private func facts(_ base: String?) async throws -> [FactModel] {
        var facts = [
            FactModel("cause", ExchangeRowModel.cause(exchange.cause).text)
        ]
        if let cause = exchange.causeEvent,
            let event = services.hub.events(in: exchange.workspace)
                .first(where: { $0.id == cause })
        {
            facts.append(FactModel("because", event.title))
        }
        if let id = exchange.causeExchange {
            let cause = try await services.exchanges.detail(
                id, in: exchange.workspace)?.exchange
            var fact = FactModel(
                "after",
                cause.map {
                    $0.method + " " + ExchangeRowModel.path($0, base: base)
                } ?? "one that is forgotten")
            fact.factURL = cause.map { Links.exchange($0.id) }
            facts.append(fact)
        }
        var call = FactModel("call", exchange.call)
        call.factURL = Links.query(
            Links.traffic, [("app", exchange.app), ("call", exchange.call)])
        facts.append(call)
        facts.append(FactModel("attempt", String(exchange.attempt)))
        facts.append(FactModel("condition", exchange.condition ?? "none"))
        facts.append(FactModel("backend", backendName))
        if let address = detail.remoteAddress {
            facts.append(FactModel("answered by", address))
        }
        if let session = try await session() {
            var fact = FactModel("session", session.who)
            fact.factURL = Links.session(session.id)
            facts.append(fact)
        }
        return facts
    }

    private var backendName: String {
        app?.backends.first { $0.id == exchange.backend }?.label
            ?? exchange.backend
    }

    /// The session the device had in this app then; the call that signed in
    /// counts to the one it began.
    private func session() async throws -> Session? {
        var query = SessionQuery(workspace: exchange.workspace)
        query.app = exchange.app
        query.device = exchange.device
        let end = exchange.startedAt.addingTimeInterval(
            exchange.timings.total / 1_000 + 1)
        return try await services.simulator.sessions(query).items
            .map(\.session)
            .first { session in
                session.createdAt <= end
                    && (session.endedAt ?? .distantFuture)
                        >= exchange.startedAt
            }
    }
}
