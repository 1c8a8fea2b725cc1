import Core
import FoundationEssentials
import Inspection
import Traffic
import Web
import Workspaces

/// `/api/exchanges`: recorded requests and their responses.
enum ExchangesAPI {
    static let endpoints = [
        Endpoint(
            .get, "/api/exchanges", "listExchanges",
            "Lists recorded requests and their responses, newest first unless sorted.",
            reading: { reader -> (ExchangeQuery, String?, Paging) in
                var query = ExchangeQuery(&reader.query)
                query.sort = .init(&reader.query)
                return (
                    query,
                    reader.query.choice(
                        "format", "JSON, or a HAR of the same page with bodies and masked tokens.",
                        among: ["json", "har"]), Paging(&reader.query)
                )
            },
            returning: .response(
                200,
                "The list of exchanges. With a filter, total is at most 10,000, or "
                    + "1,000 if very many are stored. With format=har, a HAR, oldest first.",
                [.json(Schema.anyOf([list.schema, anyHAR]))], components: list.components)
        ) { call, input in
            var (query, format, paging) = input
            query.workspace = try call.workspace
            query.keyset = try paging.keyset()
            if format == "har" { return .plainJSON(try await call.services.harArchive(query)) }
            return .plainJSON(list.json(ListPage(try await call.services.exchanges.list(query))))
        },

        Endpoint(
            .get, "/api/exchanges/wait", "waitForExchange",
            "Waits for a matching request to end; returns the newest at once if there is one.",
            reading: { (ExchangeQuery(&$0.query), $0.query.waitTimeout()) },
            returning: .ok(ExplainedExchange.representation, "The exchange."),
            errors: [504: "No matching request in time."]
        ) { call, input in
            var query = input.0
            query.workspace = try call.workspace
            query.keyset.limit = 1
            let (wanted, exchanges) = (query, call.services.exchanges)
            let found = try await EventWaiter(call).result(
                within: input.1, after: { $0.kind == .exchangeEnded }
            ) { (try await exchanges.exchanges(wanted).first?.id, nil) }
            guard let found else {
                throw Problem.waitTimedOut(
                    "No matching request in time",
                    "No recorded request matches the parameters; since limits the wait to "
                        + "requests sent later.",
                    apiHint: "GET /api/exchanges lists the recorded requests.")
            }
            return try await ExplainedExchange(
                try await call.services.exchange(found, in: wanted.workspace), call)
        },

        Endpoint(
            .delete, "/api/exchanges", "clearExchanges",
            "Deletes the recorded traffic, or the requests that match the filters.",
            reading: { ExchangeQuery(&$0.query) },
            returning: .noContent("The requests were deleted.")
        ) { call, query in
            var query = query
            query.workspace = try call.workspace
            if query == ExchangeQuery(workspace: query.workspace) {
                try await call.services.clearTraffic(in: query.workspace)
            } else {
                try await call.services.deleteExchanges(query)
            }
        },

        Endpoint(
            .post, "/api/exchanges", "sendRequest",
            "Sends a new request to a backend of an app, below its base URL, and records it.",
            reading: { RequestDraft(reading: &$0.body) },
            returning: .created(ExplainedExchange.representation, "The exchange.")
        ) { call, draft in
            let id = try await call.services.send(draft, in: try call.workspace)
            return try await ExplainedExchange(
                try await call.services.exchange(id, in: call.workspace), call)
        },

        Endpoint(
            .get, "/api/exchanges/recording", "readRecording",
            "Returns whether requests are recorded.",
            returning: .ok(recording, "The recording.")
        ) { call in
            call.services.exchanges.isRecording(in: try call.workspace)
        },

        Endpoint(
            .patch, "/api/exchanges/recording", "setRecording",
            "Pauses or resumes recording in the workspace. Paused, requests are still sent.",
            reading: { $0.body.bool("paused") }, returning: .ok(recording, "The recording.")
        ) { call, isPaused in
            if let isPaused { call.services.setRecording(!isPaused, in: try call.workspace) }
            return call.services.exchanges.isRecording(in: try call.workspace)
        },

        Endpoint(
            .get, "/api/exchanges/{exchange}", "readExchange",
            "Returns one request and its response in full.",
            reading: {
                $0.query.choice(
                    "format",
                    "JSON, a command or program that sends the request again, a HAR or raw HTTP.",
                    among: ["json"] + RequestCode.allCases.map(\.rawValue) + ["har", "http"])
            },
            returning: .response(
                200, "The exchange in the requested format.",
                [
                    .json(Schema.anyOf([ExplainedExchange.representation.schema, anyHAR])),
                    .init("text/plain", ["schema": Schema.string]),
                ], components: ExplainedExchange.representation.components)
        ) { call, format in
            let detail = try await call.services.exchange(of: call.context)
            switch format {
            case "http": return .plainText(RawHTTP.text(detail))
            case "har": return .plainJSON(HAR.archive([detail], version: call.services.version))
            default:
                if let code = format.flatMap(RequestCode.init) {
                    return .plainText(code.text(detail) + "\n")
                }
                return .plainJSON(
                    ExplainedExchange.representation.json(
                        try await ExplainedExchange(detail, call)))
            }
        },

        Endpoint(
            .delete, "/api/exchanges/{exchange}", "deleteExchange", "Deletes one request.",
            returning: .noContent("The request was deleted.")
        ) { call in
            let exchange = try await call.services.exchange(of: call.context).exchange
            try await call.services.deleteExchanges([exchange.id], in: exchange.workspace)
        },

        Endpoint(
            .post, "/api/exchanges/{exchange}/resend", "resendExchange",
            "Resends a request, unchanged or edited, to the same server, "
                + "without affecting its device.", isBodyOptional: true,
            reading: { Resend.Edit(reading: &$0.body) },
            returning: .created(ExplainedExchange.representation, "The new exchange."),
            errors: [409: "The request cannot be resent."]
        ) { call, edit in
            let detail = try await call.services.exchange(of: call.context)
            let newID = try await call.services.resend.send(detail, edit)
            return try await ExplainedExchange(
                try await call.services.exchange(newID, in: call.workspace), call)
        },

        Endpoint(
            .get, "/api/exchanges/diff", "compareExchanges",
            "Compares two exchanges. Tokens are compared by value and masked in the result.",
            reading: {
                (
                    $0.query.string("a", "The first exchange's id."),
                    $0.query.string("b", "The second exchange's id.")
                )
            }, returning: .ok(diff, "The differences by section.")
        ) { call, ids in
            let (old, new) = try await call.services.exchangePair(
                ids.0, ids.1, in: try call.workspace)
            return (old.exchange.id, new.exchange.id, try await call.services.diff(old, new))
        },

        Endpoint(
            .post, "/api/exchanges/import", "importExchanges",
            "Imports all requests of a HAR or none, without passwords and with "
                + "encrypted tokens. Limits: \(HARFile.maxBytes >> 20) MiB, "
                + "\(HARFile.maxEntries) requests, \(HARFile.maxJSONValues) JSON values. "
                + "They are listed by the HAR's times; their retention starts now.",
            rawBody: ["type": "object", "required": ["log"]],
            returning: .created(
                imported,
                "The new exchanges' ids, in the HAR's order. Above the workspace's "
                    + "limit, only the `stored` newest ones are stored.")
        ) { call in
            let ids = try await call.services.harImport.importArchive(
                call.context.request.body, into: try call.workspace)
            return (ids, min(ids.count, call.services.exchanges.maxCount))
        },
    ]

    private static let list = Representation.list(of: Exchange.summary)
    private static let recording = Representation<Bool>("Recording", [.init("paused") { !$0 }])
    private static let anyHAR: JSON = ["type": "object", "required": ["log"]]

    private static let imported = Representation<(ids: [String], stored: Int)>(
        "ImportedExchanges",
        [
            .init("imported") { $0.ids.count }, .init("stored") { $0.stored },
            .init("exchanges") { $0.ids },
        ])

    private static let diff = Representation<(old: String, new: String, diff: ExchangeDiff)>(
        "ExchangeComparison",
        [
            .init("a") { $0.old }, .init("b") { $0.new },
            .init("equalExceptTiming") { $0.diff.isEqualExceptTiming },
            .init(
                "sections",
                array: Representation([
                    .init("title") { $0.title }, .init("unchanged") { $0.unchangedCount },
                    .init(
                        "differences",
                        array: Representation([
                            .init("path") { $0.path }, .init("kind", choice: { $0.kind }),
                            .init("a") { $0.old }, .init("b") { $0.new },
                        ])
                    ) { $0.rows },
                ])
            ) { $0.diff.sections },
        ])
}

extension Resend.Edit {
    fileprivate init(reading body: inout BodyReader) {
        self =
            body.object("edit") { part in
                var edit = Resend.Edit()
                edit.method = part.text("method")
                edit.path = part.text("path")
                edit.headers = part.headers("headers")
                edit.body = part.text("body")
                return edit
            } ?? Resend.Edit()
        password = body.string(
            "password", limit: 4_096,
            schema: Schema.described(
                Schema.string, "Replaces ‹password›: passwords are never recorded."))
    }
}

extension RequestDraft {
    fileprivate init(reading body: inout BodyReader) {
        self.init(app: body.requiredString("app"))
        backend = body.string(
            "backend", schema: Schema.described(Schema.string, "The app's first by default."))
        device = body.string(
            "device",
            schema: Schema.described(
                Schema.string, "The device it is listed with, and whose token."))
        usesAccessToken = body.bool("useAccessToken") ?? false
        method = body.string("method") ?? "GET"
        path = body.text("path") ?? ""
        headers = body.headers("headers") ?? []
        self.body = body.text("body") ?? ""
    }
}

extension BodyReader {
    /// An array of `{name, value}`.
    mutating func headers(_ name: String) -> [Headers.Field]? {
        let schema = Schema.array(
            Schema.object([.init("name", Schema.string), .init("value", Schema.string)]))
        guard let json = value(name, schema) else { return nil }
        guard case .array(let list) = json else {
            addError(name, "must be an array of {name, value}")
            return nil
        }
        var fields: [Headers.Field] = []
        for (index, element) in list.enumerated() {
            guard case .object(let members) = element, members.count == 2,
                let field = element["name"]?.string, let value = element["value"]?.string
            else {
                addError("\(name)/\(index)", "must be {name, value}")
                continue
            }
            fields.append(Headers.Field(name: field, value: value))
        }
        return fields
    }
}

extension Exchange {
    fileprivate static let summary = Representation("Exchange", members)

    fileprivate static let members: [Representation<Exchange>.Member] = [
        .init("id") { $0.id }, .init("app") { $0.app }, .init("device") { $0.device },
        .init("backend") { $0.backend }, .init("call") { $0.call },
        .init("cause", choice: { $0.cause }), .init("causeEvent") { $0.causeEvent },
        .init("causeExchange") { $0.causeExchange }, .init("attempt") { $0.attempt },
        .init("method") { $0.method }, .init("url") { $0.url }, .init("status") { $0.status },
        .init(
            "failure",
            optional: Representation([
                .init("kind") { $0.kind.rawValue }, .init("detail") { $0.detail },
            ])
        ) { $0.failure }, .init("startedAt") { $0.startedAt },
        // In milliseconds; null for a phase that did not happen.
        .init(
            "timings",
            Representation([
                .init("nameLookup") { $0.nameLookup }, .init("connect") { $0.connect },
                .init("tls") { $0.tls }, .init("firstByte") { $0.firstByte },
                .init("total") { $0.total },
            ])
        ) { $0.timings }, .init("requestBytes") { $0.requestBytes },
        .init("responseBytes") { $0.responseBytes }, .init("fault") { $0.fault },
        .init("rules", array: AppliedRule.representation) { $0.rules },
    ]
}

/// An exchange with its checks, with tokens masked and passwords removed.
private struct ExplainedExchange: Sendable {
    let detail: ExchangeDetail
    let rejection: Rejection?

    init(_ detail: ExchangeDetail, _ call: APICall) async throws {
        self.detail = detail
        rejection = try await call.services.rejectionReader.rejection(of: detail)
    }

    /// The list's members, with the URL masked.
    private var exchange: Exchange {
        var exchange = detail.exchange
        exchange.url = detail.masked(exchange.url)
        return exchange
    }

    /// The checks, with their evidence masked.
    private var checks: [ExchangeCheck] {
        (rejection?.checks ?? detail.checks).map { check in
            var check = check
            check.evidence = detail.masked(check.evidence)
            return check
        }
    }

    private var areChecksInferred: Bool {
        if case .inferred? = rejection?.origin { true } else { false }
    }

    /// The parts of a message that a user edited; nil without edits.
    private func original(_ parts: KeyPath<ExchangeDetail, ExchangeDetail.OriginalParts>) -> (
        ExchangeDetail.OriginalParts, ExchangeDetail
    )? { detail[keyPath: parts].isEmpty ? nil : (detail[keyPath: parts], detail) }

    static let representation = Representation<ExplainedExchange>(
        "ExchangeDetail",
        Exchange.members.map { $0.of { $0.exchange } } + [
            .init(
                "checks",
                array: Representation([
                    .init("name") { $0.name }, .init("title") { $0.title },
                    .init("state", choice: { $0.state }), .init("evidence") { $0.evidence },
                ])
            ) { $0.checks },
            .init(
                "checksDerived", { $0.areChecksInferred },
                description: "Whether Foyer inferred the checks; false if the server reported them."
            ), .init("remoteAddress") { $0.detail.remoteAddress },
            .init("request", message) {
                ($0.detail, $0.detail.requestHeaders, $0.detail.requestBody)
            },
            .init(
                "originalRequest", optional: ExchangeDetail.OriginalParts.representation
            ) { $0.original(\.originalRequest) },
            .init(
                "originalResponse", optional: ExchangeDetail.OriginalParts.representation
            ) { $0.original(\.originalResponse) },
            .init("response", optional: message) {
                $0.detail.exchange.status == nil
                    ? nil : ($0.detail, $0.detail.responseHeaders, $0.detail.responseBody)
            },
        ])

    private static let message = Representation<
        (detail: ExchangeDetail, headers: Headers, body: ExchangeDetail.RecordedBody)
    >([
        .init(
            "headers",
            array: Representation<Headers.Field>([
                .init("name") { $0.name }, .init("value") { $0.value },
            ])
        ) { detail, headers, _ in
            headers.fields.map { .init(name: $0.name, value: detail.masked($0.value)) }
        },
        .init("body") { detail, _, body in
            body.text.map(detail.masked) ?? Data(body.bytes).base64EncodedString()
        },
        .init("encoding", schema: Schema.choice(["utf-8", "base64"], named: "BodyEncoding")) {
            $0.body.text == nil ? "base64" : "utf-8"
        }, .init("bytes") { $0.body.length }, .init("truncated") { $0.body.isTruncated },
    ])
}
