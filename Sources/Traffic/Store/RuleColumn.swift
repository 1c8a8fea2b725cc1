import Web

/// The JSON of the column `rule`: the rules that matched an exchange, and what was edited.
struct RuleColumn {
    private(set) var rules: [AppliedRule] = []
    private(set) var request = ExchangeDetail.OriginalParts()
    private(set) var response = ExchangeDetail.OriginalParts()

    init(_ text: String) {
        guard let json = try? JSON(parsing: text) else { return }
        rules = (json["rules"]?.elements ?? []).compactMap(AppliedRule.init)
        request = .init(json["request"])
        response = .init(json["response"])
    }

    /// Nil if no rule matched.
    static func text(_ detail: ExchangeDetail) -> String? {
        guard !detail.exchange.rules.isEmpty else { return nil }
        return JSON.omittingNil([
            "rules": .array(detail.exchange.rules.map(\.json)),
            "request": detail.originalRequest.json, "response": detail.originalResponse.json,
        ]).description
    }
}

extension AppliedRule {
    fileprivate var json: JSON {
        [
            "id": .string(id), "kind": .string(kind.rawValue), "outcome": .string(outcome.rawValue),
            "edited": .array(edited.map { .string($0.rawValue) }), "pausedFor": .double(pausedFor),
        ]
    }

    /// Nil for one that this version does not know.
    fileprivate init?(_ json: JSON) {
        guard let id = json["id"]?.string,
            let kind = json["kind"]?.string.flatMap(TrafficRule.Kind.init),
            let outcome = json["outcome"]?.string.flatMap(Outcome.init)
        else { return nil }
        self.init(
            id: id, kind: kind, outcome: outcome,
            edited: (json["edited"]?.elements ?? []).compactMap { $0.string.flatMap(Part.init) },
            pausedFor: json["pausedFor"]?.number ?? 0)
    }
}

extension ExchangeDetail.OriginalParts {
    /// Nil without edits. An edited body is a text.
    fileprivate var json: JSON? {
        guard !isEmpty else { return nil }
        return .omittingNil([
            "method": method.map(JSON.string), "url": url.map(JSON.string),
            "status": status.map { JSON($0) },
            "headers": headers.map { headers in
                .array(headers.fields.map { [.string($0.name), .string($0.value)] })
            }, "body": body.map { .string($0.text ?? "") }, "bytes": body.map { JSON($0.length) },
        ])
    }

    fileprivate init(_ json: JSON?) {
        self.init()
        method = json?["method"]?.string
        url = json?["url"]?.string
        status = json?["status"]?.int.map(Int.init)
        headers = json?["headers"].map { headers in
            Headers(
                headers.elements.map {
                    .init(name: $0[0]?.string ?? "", value: $0[1]?.string ?? "")
                })
        }
        body = json?["body"]?.string.map { text in
            .init(text: text, length: json?["bytes"]?.int.map(Int.init) ?? text.utf8.count)
        }
    }
}
