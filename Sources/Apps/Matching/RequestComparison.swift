import Web

/// How well a request fits a call, and what stands where the call has
/// variables.
///
/// What the call writes as it is (`grant_type=password`) tells calls of one
/// address apart; a variable tells less.
struct RequestComparison {
    private(set) var score = 0
    /// What the call writes as it is stands otherwise in the request.
    private(set) var hasConflict = false
    private(set) var variables: [String: JSON]

    init(variables: [String: JSON]) { self.variables = variables }

    mutating func compare(_ template: RequestTemplate, with seen: ObservedRequest) {
        compare(template.query, with: seen.query)
        switch (template.body, seen.body) {
        case (.json(let wanted), .json(let got)):
            compare(wanted, with: got, optional: template.optionalMembers)
        case (.form(let wanted), .form(let got)): compare(wanted, with: got)
        case (.none, .none): break
        default: score -= 1
        }
        if let name = template.bearerName, let token = seen.bearer {
            variables[name] = .string(token)
        }
    }

    private mutating func compare(
        _ wanted: [RequestTemplate.Pair], with got: [(name: String, value: String)]
    ) {
        for pair in wanted {
            let value = got.first { $0.name == pair.name }?.value
            compare(pair.value, with: value.map(JSON.string))
        }
    }

    private mutating func compare(_ wanted: JSON, with got: JSON?, optional: [String] = []) {
        switch wanted {
        case .string(let text): compare(text, with: got)
        case .object(let members):
            for member in members {
                let value = got?[member.name]
                if value == nil, optional.contains(member.name) { continue }
                compare(member.value, with: value)
            }
        case .array(let elements):
            for (index, element) in elements.enumerated() { compare(element, with: got?[index]) }
        case .null, .bool, .int, .double: break
        }
    }

    private mutating func compare(_ wanted: String, with got: JSON?) {
        guard wanted.utf8.contains(UInt8(ascii: "{")) else {
            if got?.string == wanted { score += 4 } else { hasConflict = true }
            return
        }
        guard let got, got != .null else {
            score -= 1
            return
        }
        let template = TextTemplate(wanted)
        if let name = template.soleVariable {
            variables[name] = got
            score += 1
        } else if let text = got.scalarText, let values = template.values(in: text) {
            for (name, value) in values { variables[name] = .string(value) }
            score += 1
        } else {
            score -= 1
        }
    }
}
