import FoundationEssentials
import Traffic
import Web

/// `/api/rules` and `/api/intercepted`: rules, and the exchanges they pause.
enum RulesAPI {
    static let endpoints = [
        Endpoint(
            .get, "/api/rules", "listRules", "Lists rules in the order in which they apply.",
            returning: .ok(.list(of: TrafficRule.representation), "The list of rules.")
        ) { call in ListPage(call.services.rules.list(in: try call.workspace)) },

        Endpoint(
            .post, "/api/rules", "createRule",
            "Adds a rule that pauses matching requests or responses, or responds to requests.",
            reading: { (RuleInput(&$0.body, isNew: true), $0.body.string("exchange", limit: 64)) },
            returning: .created(TrafficRule.representation, "The new rule."),
            errors: [409: "The workspace has too many rules."]
        ) { call, input in
            let (input, exchange) = input
            let editor = RuleEditor(services: call.services, workspace: try call.workspace)
            let template = try await editor.template(exchange)
            var complete = input
            if let template, complete.match == .init() { complete.match = template.match }
            return try await editor.add(complete, source: template?.response)
        },

        Endpoint(
            .delete, "/api/rules", "deleteRules",
            "Deletes all rules of the workspace; paused requests continue unchanged.",
            returning: .noContent("The rules were deleted.")
        ) { call in try await call.services.rules.remove(in: call.workspace) },

        Endpoint(
            .get, "/api/rules/{rule}", "readRule", "Returns one rule.",
            returning: .ok(TrafficRule.representation, "The rule.")
        ) { call in try call.services.rule(of: call.context) },

        Endpoint(
            .patch, "/api/rules/{rule}", "updateRule",
            "Changes a rule, turns it on or off, or moves it. Turned off, it lets go of what it "
                + "paused.",
            reading: { reader in
                let old = reader.call.flatMap { try? $0.services.rule(of: $0.context) }
                return (
                    RuleInput(&reader.body, old: old?.draft, isNew: false),
                    reader.body.integer("position", in: 0...RuleStore.maxPerWorkspace)
                )
            }, returning: .ok(TrafficRule.representation, "The rule as changed.")
        ) { call, input in
            let (input, position) = input
            let rule = try call.services.rule(of: call.context)
            let editor = RuleEditor(services: call.services, workspace: rule.workspace)
            let updated = try await editor.update(rule, input)
            if let position { try await call.services.rules.move(updated, to: position) }
            return try call.services.rule(of: call.context)
        },

        Endpoint(
            .delete, "/api/rules/{rule}", "deleteRule",
            "Deletes a rule; what it paused continues unchanged.",
            returning: .noContent("The rule was deleted.")
        ) { call in
            let rule = try call.services.rule(of: call.context)
            try await call.services.rules.remove(in: rule.workspace) { $0.id == rule.id }
        },

        Endpoint(
            .get, "/api/intercepted", "listIntercepted",
            "Lists the requests and responses that are paused, oldest first.",
            returning: .ok(.list(of: PausedExchange.representation), "The paused exchanges.")
        ) { call in ListPage(call.services.rules.paused(in: try call.workspace)) },

        Endpoint(
            .get, "/api/intercepted/wait", "waitForIntercepted",
            "Waits for a paused request or response; returns the oldest at once if there is one.",
            reading: {
                (
                    $0.query.string("call", "Only of this call."),
                    $0.query.choice(
                        "phase", "Only requests, or only responses.", of: PausedExchange.Phase.self),
                    $0.query.waitTimeout()
                )
            }, returning: .ok(PausedExchange.representation, "The paused exchange."),
            errors: [504: "Nothing was paused in time."]
        ) { call, input in
            let (name, phase, timeout) = input
            let paused = try await call.services.rules.waitForPaused(
                in: try call.workspace, timeout: timeout
            ) { ($0.call == name ?? $0.call) && ($0.phase == phase ?? $0.phase) }
            guard let paused else {
                throw Problem.waitTimedOut(
                    "Nothing was paused in time",
                    "No matching request was paused within \(Format.seconds(timeout / .seconds(1))).",
                    apiHint: "GET /api/rules lists the rules.")
            }
            return paused
        },

        Endpoint(
            .post, "/api/intercepted/continue", "continueAllIntercepted",
            "Lets all paused requests and responses continue unchanged.",
            returning: .noContent("They continue.")
        ) { call in call.services.rules.decideAll(aborts: false, in: try call.workspace) },

        Endpoint(
            .post, "/api/intercepted/abort", "abortAllIntercepted",
            "Fails all paused requests and responses.", returning: .noContent("They were aborted.")
        ) { call in call.services.rules.decideAll(aborts: true, in: try call.workspace) },

        Endpoint(
            .post, "/api/intercepted/{exchange}/continue", "continueIntercepted",
            "Lets a paused request or response continue, with edits or unchanged.",
            isBodyOptional: true,
            reading: { (PausedExchange.Phase(&$0.body), PausedExchange.Edit(&$0.body)) },
            returning: .noContent("It continues."),
            errors: [409: "It already continued."]
        ) { call, input in
            try call.services.rules.resume(
                call.path("exchange"), input.0, in: try call.workspace, with: input.1)
        },

        Endpoint(
            .post, "/api/intercepted/{exchange}/abort", "abortIntercepted",
            "Fails a paused request or response: its client's connection is closed.",
            isBodyOptional: true, reading: { PausedExchange.Phase(&$0.body) },
            returning: .noContent("It was aborted."), errors: [409: "It already continued."]
        ) { call, phase in
            try call.services.rules.abort(call.path("exchange"), phase, in: try call.workspace)
        },
    ]
}

extension PausedExchange.Phase {
    /// Nil for whichever message is paused.
    fileprivate init?(_ body: inout BodyReader) {
        guard let phase = body.choice("phase", of: Self.self) else { return nil }
        self = phase
    }
}

extension PausedExchange.Edit {
    fileprivate init(_ body: inout BodyReader) {
        self.init()
        method = body.text("method")
        path = body.text("path")
        status = body.integer("status", in: 200...599)
        headers = body.headers("headers")
        self.body = body.text("body")
    }
}

extension RuleInput {
    /// Of an existing rule, absent fields are unchanged, and null removes a condition.
    fileprivate init(
        _ body: inout BodyReader, old: TrafficRule.Draft? = nil, isNew: Bool
    ) {
        let match = old?.match
        func string(_ name: String, _ current: String?) -> String? {
            let text = body.string(name)
            return body.has(name) ? text : current
        }
        let kind = body.choice("kind", of: TrafficRule.Kind.self, isRequired: isNew)
        let newMatch = TrafficRule.Match(
            method: string("method", match?.method), host: string("host", match?.host),
            path: string("path", match?.path), app: string("app", match?.app),
            device: string("device", match?.device), call: string("call", match?.call))
        self.init(kind: kind, match: newMatch)
        isOn = body.bool("enabled")
        timeout = body.number(
            "timeout",
            schema: [
                "type": "number", "minimum": 1, "maximum": .double(TrafficRule.Draft.maxTimeout),
            ])
        response = body.object("response") { part in
            var input = ResponseInput()
            input.status = part.integer("status", in: 200...599)
            input.contentType = part.string("contentType", limit: 200)
            input.headers = part.headers("headers")
            let encoding = part.choice("encoding", among: ["utf-8", "base64"])
            let text = part.text("body")
            input.fileName = part.string("file", limit: 200)
            if encoding == "base64", let text {
                input.bytes = Data(base64Encoded: text).map(Array.init)
                if input.bytes == nil { part.addError("body", "must be base64") }
            } else {
                input.body = text
            }
            return input
        }
    }
}

extension TrafficRule {
    /// `text` describes the rule in a sentence; placeholders in its response stand for encrypted
    /// values.
    fileprivate static let representation = Representation<TrafficRule>(
        "Rule",
        [
            .init("id") { $0.id }, .init("kind", choice: { $0.kind }),
            .init("enabled") { $0.draft.isOn }, .init("method") { $0.draft.match.method },
            .init("host") { $0.draft.match.host }, .init("path") { $0.draft.match.path },
            .init("app") { $0.draft.match.app }, .init("device") { $0.draft.match.device },
            .init("call") { $0.draft.match.call }, .init("timeout") { $0.draft.timeout },
            .init("response", optional: MappedResponse.representation) {
                $0.draft.response.map { ($0, $0.masked) }
            },
            .init("createdAt") { $0.createdAt },
        ])
}

extension MappedResponse {
    fileprivate static let representation = Representation<
        (response: MappedResponse, masked: MaskedMessage)
    >([
        .init("status") { $0.response.status },
        .init("headers", array: Headers.Field.representation) { $0.masked.fields },
        .init("body") {
            $0.masked.body ?? Data($0.response.body).base64EncodedString()
        },
        .init("encoding", schema: Schema.choice(["utf-8", "base64"], named: "BodyEncoding")) {
            $0.masked.body == nil ? "base64" : "utf-8"
        }, .init("bytes") { $0.response.body.count }, .init("file") { $0.response.fileName },
    ])
}

extension PausedExchange {
    /// With placeholders for secrets, which an edit may contain.
    fileprivate static let representation = Representation<PausedExchange>(
        "PausedExchange",
        [
            .init("exchange") { $0.id }, .init("phase", choice: { $0.phase }),
            .init("rule") { $0.rule.id }, .init("app") { $0.app }, .init("device") { $0.device },
            .init("call") { $0.call }, .init("method") { $0.method },
            .init("url") { $0.request.maskedURL }, .init("baseURL") { $0.baseURL },
            .init("path") { $0.path }, .init("pausedAt") { $0.pausedAt },
            .init("until") { $0.until },
            .init("request", Representation(MaskedMessage.members)) { $0.request },
            .init(
                "response",
                optional: Representation<(status: Int, message: MaskedMessage)>(
                    [.init("status") { $0.status }]
                        + MaskedMessage.members.map { $0.of { $0.message } })
            ) { $0.response },
        ])
}

extension MaskedMessage {
    /// `bodyNote` is why the body cannot be edited.
    fileprivate static let members: [Representation<MaskedMessage>.Member] = [
        .init("headers", array: Headers.Field.representation) { $0.fields },
        .init("body") { $0.body }, .init("bodyNote") { $0.bodyNote },
        .init(
            "placeholders",
            array: Representation<(text: String, masked: String)>([
                .init("placeholder") { $0.text }, .init("masked") { $0.masked },
            ])
        ) { $0.placeholders },
    ]
}

extension Headers.Field {
    static let representation = Representation<Headers.Field>([
        .init("name") { $0.name }, .init("value") { $0.value },
    ])
}

extension AppliedRule {
    /// What a rule did with an exchange.
    static let representation = Representation<AppliedRule>([
        .init("id") { $0.id }, .init("kind", choice: { $0.kind }),
        .init("outcome", choice: { $0.outcome }),
        .init("edited") { $0.edited.map(\.rawValue) }, .init("pausedFor") { $0.pausedFor },
    ])
}

extension ExchangeDetail.OriginalParts {
    /// The edited parts before the edits, with masked tokens; null for the others.
    static let representation = Representation<(parts: Self, detail: ExchangeDetail)>([
        .init("method") { $0.parts.method },
        .init("url") { original in original.parts.url.map(original.detail.masked) },
        .init("status") { $0.parts.status },
        .init(
            "headers",
            schema: Schema.nullable(Schema.array(Headers.Field.representation.schema))
        ) { original in
            guard let headers = original.parts.headers else { return .null }
            return .array(
                headers.fields.map {
                    Headers.Field.representation.json(
                        .init(name: $0.name, value: original.detail.masked($0.value)))
                })
        },
        .init("body") { original in
            original.parts.body.map { original.detail.masked($0.text ?? "") }
        },
    ])
}
