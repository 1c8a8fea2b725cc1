import Templates
import Traffic
import Web

/// What rules did with an exchange (`rules/applied`).
extension ExchangeBuilder {
    /// Nil if no rule matched.
    var appliedRules: TemplateModel? {
        guard !exchange.rules.isEmpty else { return nil }
        return [
            "applied": exchange.rules.map { rule -> TemplateModel in
                let exists = services.rules.rule(rule.id, in: exchange.workspace) != nil
                let pause =
                    rule.pausedFor > 0 ? "paused for \(Format.milliseconds(rule.pausedFor))" : nil
                let edits = rule.edited.map(\.rawValue).joined(separator: ", ").nonEmpty
                return [
                    "name": rule.label,
                    "note": [edits.map { "edited: \($0)" }, pause].compactMap(\.self).joined(
                        separator: "; "),
                    "ruleURL": exists ? Links.rule(rule.id) : nil,
                ]
            },
            "originals": [
                original("Original request", detail.originalRequest),
                original("Original response", detail.originalResponse),
            ].compactMap(\.self),
        ]
    }

    /// The edited parts of a message as they were, as text.
    private func original(_ title: String, _ parts: ExchangeDetail.OriginalParts) -> TemplateModel?
    {
        guard !parts.isEmpty else { return nil }
        let firstLine = [parts.method, parts.url, parts.status.map(String.init)].compactMap(\.self)
            .joined(separator: " ").nonEmpty
        let headers = parts.headers?.fields.map { "\($0.name): \($0.value)" }.joined(
            separator: "\n")
        let text = [firstLine, headers, parts.body.map { $0.text ?? "" }].compactMap(\.self)
            .joined(separator: "\n\n")
        return ["originalTitle": title, "originalText": detail.masked(text)]
    }
}
