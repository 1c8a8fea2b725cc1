import Apps
import Core
import Inspection
import Simulator
import Templates
import Traffic
import Web

/// Builds the model of the page of one exchange.
struct ExchangeBuilder {
    let services: Services
    let detail: ExchangeDetail

    var exchange: Exchange { detail.exchange }
    var app: App? { services.appCatalog.app(exchange.app) }

    func build() async throws -> Page {
        let name = services.title(of: detail)
        let timing = exchange.timing
        let hasResponse = exchange.status != nil
        let tokens = try await RecordedTokens(services: services, detail: detail)
        var response = message(detail.responseHeaders, detail.responseBody, tokens)
        if !hasResponse {
            response = ["tokens": tokens.cards(inBody: detail.responseBody.text ?? "")]
        }
        let chain = try await services.exchanges.chain(of: exchange.id, in: exchange.workspace)
        let device = try await services.simulator.device(exchange.device, in: exchange.workspace)
        let rejection = try await services.rejectionReader.rejection(of: detail)
        return Page(
            title: name, navItem: "traffic", url: Links.exchange(exchange.id),
            script: "traffic.js",
            model: [
                "url": Links.exchange(exchange.id),
                "methodAndPath": name, "chips": chips, "links": try await links(),
                "glyph": GlyphModel(app, id: exchange.app), "appName": app?.name ?? exchange.app,
                "device": device?.label ?? Format.shortID(exchange.device),
                "deviceURL": deviceURL(device),
                "fullURL": detail.masked(exchange.url), "at": exchange.startedAt.iso8601,
                "time": Format.timeOfDayMilliseconds(exchange.startedAt),
                "ago": Format.ago(exchange.startedAt, services.world.now()),
                "total": Format.phaseDuration(exchange.timings.total),
                "timingDescription": timing.description, "phases": timing.phases,
                "request": message(
                    detail.requestHeaders, detail.requestBody, tokens,
                    tokens.cards(inURL: exchange.url)), "response": response,
                "responseTitle": hasResponse ? "Response" : "No response",
                "failureText": exchange.failure.map { $0.detail.nonEmpty ?? $0.kind.rawValue },
                "curlNote": curlNote, "curl": RequestCode.curl.text(detail),
                "codes": RequestCode.allCases.map { code -> TemplateModel in
                    [
                        "codeName": code.name, "codeURL": Links.code(code)(exchange.id),
                        "codeID": code == .curl ? "curl" : "copy.\(code.rawValue)",
                    ]
                },
                "appliedRules": appliedRules, "rejection": rejection.map(rejectionModel),
                "attempts": attempts(among: chain),
                "details": try await details(device), "steps": storySteps(chain),
            ])
    }

    /// The studio of the device; nil if it or the app is unknown.
    func deviceURL(_ device: Device?) -> String? {
        app.flatMap { app in device.map { StudioLinks(app: app.id, device: $0.id).page } }
    }

    // MARK: Toolbar

    private var chips: [ChipModel] {
        let statusChip = ChipModel(
            text: exchange.status.map(Format.status) ?? "No response",
            tone: ChipModel.Tone(rawValue: ExchangeRowModel.tone(exchange.status)) ?? .neutral)
        return [statusChip] + ExchangeRowModel.chips(exchange)
    }

    private func links() async throws -> TemplateModel {
        let id = exchange.id
        // The exchanges before and after this one in the workspace.
        let newer = try await neighbor { $0.keyset.after = exchange.sequence }
        let older = try await neighbor { $0.keyset.before = exchange.sequence }
        let previous = try await neighbor {
            $0.app = exchange.app
            $0.device = exchange.device
            $0.call = exchange.call
            $0.keyset.before = exchange.sequence
        }
        return [
            "har": Links.exchangeArchive(id), "resend": Links.resend(id),
            "delete": Links.deleteExchange(id), "curl": Links.code(.curl)(id),
            "raw": Links.exchangeText(id), "intercept": Links.newRule(like: id, "pauseRequest"),
            "respond": Links.newRule(like: id, "respond"),
            "rawUnmasked": detail.tokens.isEmpty ? nil : Links.unmaskedExchangeText(id),
            "newer": newer.map { Links.exchange($0) }, "older": older.map { Links.exchange($0) },
            "compare": previous.map { Links.exchangeDiff($0, id) },
        ]
    }

    private func neighbor(_ change: (inout ExchangeQuery) -> Void) async throws -> String? {
        var query = ExchangeQuery(workspace: exchange.workspace)
        query.keyset.limit = 1
        change(&query)
        return try await services.exchanges.exchanges(query).first?.id
    }

    // MARK: Messages

    private func message(
        _ headers: Headers, _ body: ExchangeDetail.RecordedBody, _ tokens: RecordedTokens,
        _ urlTokens: [TemplateModel] = []
    ) -> TemplateModel {
        [
            "note": summary(headers, body),
            "headers": headers.fields.map { field -> TemplateModel in
                [
                    "headerName": field.name, "headerValue": detail.masked(field.value),
                    "tokenCard": tokenCard(field, tokens),
                ]
            }, "body": ReadableBody.text(body, headers, detail),
            "tokens": urlTokens + tokens.cards(inBody: body.text ?? ""),
        ]
    }

    /// `3 headers, application/json, 54 B`, and how much of the body is stored.
    private func summary(_ headers: Headers, _ body: ExchangeDetail.RecordedBody) -> String {
        var parts = [Format.count(headers.fields.count, "header")]
        if body.length == 0 {
            parts.append("no body")
        } else {
            if let type = headers["Content-Type"] {
                parts.append(String(type.prefix { $0 != ";" }))
            }
            parts.append(Format.size(body.length))
            if body.isTruncated { parts.append("first \(Format.size(body.bytes.count)) stored") }
        }
        return parts.joined(separator: ", ")
    }

    /// How the displayed command differs from the request as sent.
    private var curlNote: String {
        let blank = detail.tokens.map { _ in "" }
        let curl = RequestCode.curl
        let isMasked = curl.text(detail, tokens: blank) != curl.text(detail)
        return switch (isMasked, ResendForm.lacksPassword(detail)) {
        case (false, false): "No secrets"
        case (false, true): "Password not recorded, fill it in"
        case (true, false): "Masked here, unmasked when copied"
        case (true, true):
            "Masked here, unmasked when copied. Password not recorded, fill it in"
        }
    }

    /// The card of a bearer token of any format, or of a JWT in any other field.
    private func tokenCard(_ field: Headers.Field, _ tokens: RecordedTokens) -> TemplateModel? {
        if let index = detail.bearerTokenIndex(in: field) { return tokens.card(index) }
        return tokens.tokenIndexes(in: field.value).first(where: tokens.isJWT).map {
            tokens.card($0)
        }
    }
}

/// Formats a recorded body for display.
enum ReadableBody {
    /// JSON indented, a form with one field per line, other text unchanged; for binary data only a
    /// note. Nil without a body.
    static func text(
        _ body: ExchangeDetail.RecordedBody, _ headers: Headers, _ detail: ExchangeDetail
    ) -> String? {
        guard body.length > 0 else { return nil }
        guard let text = body.text else { return "Binary data, \(Format.size(body.length))" }
        if headers.isForm, let fields = fields(text) { return detail.masked(fields) }
        let masked = detail.masked(text)
        return IndentedJSON.text(masked) ?? masked
    }

    /// For instance `grant_type = refresh_token`, decoded; nil if it is not a form.
    private static func fields(_ text: String) -> String? {
        let request = Request(
            method: .post, target: "/",
            headers: ["Content-Type": "application/x-www-form-urlencoded"], body: Array(text.utf8))
        guard let form = try? Form(request), !form.items.isEmpty else { return nil }
        return form.items.map { "\($0.name) = \($0.value)" }.joined(separator: "\n")
    }
}

extension Exchange {
    /// DNS lookup, connect, TLS, waiting and download, each with its position in the timing bar or
    /// the reason why it did not happen; and all of them in a sentence, for a screen reader.
    var timing: (phases: [TemplateModel], description: String) {
        let url = URLParts(url)
        let isReused = timings.connect == nil && status != nil
        let parts = [timings.nameLookup, timings.connect, timings.tls, timings.firstByte]
        let before = parts.compactMap(\.self).reduce(0, +)
        let body = timings.firstByte.map { _ in max(0, timings.total - before) }
        let isAnsweredByRule = rules.contains { $0.outcome == .responded }
        let skipReason =
            isAnsweredByRule ? "Not sent" : isReused ? "Reused connection" : "Not reached"
        let all: [(name: String, duration: Double?, shade: String, skipReason: String)] = [
            (
                "DNS lookup", timings.nameLookup, "1",
                timings.connect == nil ? skipReason : "Skipped (IP address)"
            ), ("Connect", timings.connect, "2", skipReason),
            (
                "TLS", timings.tls, "2",
                url.scheme == "https" || isAnsweredByRule
                    ? skipReason : url.isLoopback ? "Skipped (loopback)" : "Skipped (http)"
            ), ("Waiting (TTFB)", timings.firstByte, "first", "None"),
            ("Content download", body, "3", "None"),
        ]
        let durations = all.compactMap(\.duration)
        let sum = max(durations.reduce(0, +), 0.001)
        // Percent of the bar: 2 px of about 790.
        let gap = 0.25
        var x = 0.0
        let phases = all.map { name, duration, shade, skipReason -> TemplateModel in
            guard let duration else {
                return ["phase": name, "duration": skipReason, "shade": "none", "isDrawn": false]
            }
            let share = duration / sum * (100 - Double(durations.count - 1) * gap)
            defer { x += share + gap }
            return [
                "phase": name, "duration": Format.phaseDuration(duration), "shade": shade,
                "isDrawn": true, "x": x.twoDecimals, "share": max(share, 0.2).twoDecimals,
            ]
        }
        let texts = all.compactMap { name, duration, _, _ in
            duration.map { "\(name) \(Format.phaseDuration($0))" }
        }
        return (
            phases,
            "\(Format.phaseDuration(timings.total)) total: " + texts.joined(separator: ", ")
        )
    }
}
