package import Web

extension Screen {
    /// The first error of each field that breaks a rule, by field name.
    ///
    /// `action` decides which fields are checked. The screen's own rules are checked first and stop
    /// at the first broken one; its error belongs to the first of its fields that breaks it.
    package func check(_ values: [String: String], for action: Action) -> [String: String] {
        let names = action.checkedFields
        if names == nil, action.name != Action.submitName { return [:] }
        let checked = fields.filter { names?.contains($0.name) ?? true }
        for rule in rules where names.map({ rule.fields.allSatisfy($0.contains) }) ?? true {
            let broken = checked.first {
                rule.fields.contains($0.name) && breaks(rule.rule, $0, values)
            }
            if let broken { return [broken.name: rule.rule.message] }
        }
        return checked.reduce(into: [:]) { errors, field in
            guard !field.allowsEmpty || field.isFilled(value(of: field, values)) else { return }
            errors[field.name] = field.rules.first { breaks($0, field, values) }?.message
        }
    }

    /// The errors shown while the user types: on a screen that validates after a pause, and for
    /// rules that are `live`.
    package func checkWhileTyping(_ values: [String: String]) -> [String: String] {
        var errors: [String: String] = [:]
        for field in fields {
            let screenRules = rules.filter { $0.fields.contains(field.name) }.map(\.rule)
            let broken =
                (screenRules.filter(\.isLive)
                + field.rules.filter { validation != .submit || $0.isLive }).first {
                    isReadyToCheck($0, field, values) && breaks($0, field, values)
                }
            errors[field.name] = broken?.message
        }
        return errors
    }

    /// Whether `action` is enabled with these values. A disabled action shows an error only if a
    /// rule has a message.
    package func isEnabled(_ action: Action, _ values: [String: String]) -> Bool {
        switch action.enabledRule {
        case .always: true
        case .valid: blockingErrors(values, for: action).isEmpty
        case .filled(let names):
            fields.allSatisfy { !names.contains($0.name) || $0.isFilled(value(of: $0, values)) }
        }
    }

    /// The errors that disable an action: the first rule each field breaks, including rules that
    /// `allowsEmpty` would skip.
    package func blockingErrors(_ values: [String: String], for action: Action) -> [String: String]
    {
        guard case .valid = action.enabledRule else { return [:] }
        return fields.reduce(into: [:]) { errors, field in
            errors[field.name] = rules(of: field).first { breaks($0, field, values) }?.message
        }
    }

    /// The fields in order whose empty value breaks a rule: those `enabled: 'valid'` depends on.
    ///
    /// A field that must equal one of them is included, although two empty values are equal.
    package var requiredFields: [String] {
        let broken = fields.filter { field in rules(of: field).contains { breaks($0, field, [:]) } }
            .map(\.name)
        return fields.filter { field in
            broken.contains(field.name)
                || rules(of: field).contains { rule in
                    guard case .same(let other) = rule.test else { return false }
                    return broken.contains(other)
                }
        }.map(\.name)
    }

    /// A field's own rules, then the screen's rules that name it.
    package func rules(of field: Field) -> [Rule] {
        field.rules + rules.filter { $0.fields.contains(field.name) }.map(\.rule)
    }

    /// Whether a rule is checked while the user types even if the screen validates on submit.
    package var hasLiveRules: Bool {
        rules.contains(where: \.rule.isLive)
            || fields.contains { $0.rules.contains(where: \.isLive) }
    }

    /// The screen's fields as variables of its calls.
    package func variables(_ values: [String: String]) -> [String: JSON] {
        fields.reduce(into: [:]) { $0[$1.name] = $1.variableValue(values[$1.name] ?? "") }
    }

    // MARK: One rule

    /// Whether the field, and the one it is compared with, are filled in.
    private func isReadyToCheck(_ rule: Rule, _ field: Field, _ values: [String: String]) -> Bool {
        let isFilled = field.isFilled(value(of: field, values))
        guard isFilled, case .same(let name) = rule.test,
            let other = fields.first(where: { $0.name == name })
        else { return isFilled }
        return other.isFilled(value(of: other, values))
    }

    private func value(of field: Field, _ values: [String: String]) -> String {
        field.normalized(values[field.name] ?? "")
    }

    private func breaks(_ rule: Rule, _ field: Field, _ values: [String: String]) -> Bool {
        let value = value(of: field, values)
        switch rule.test {
        case .required: return !field.isFilled(value)
        case .pattern(let pattern): return !pattern.matches(value)
        case .min(let least): return value.unicodeScalars.count < least
        case .max(let most): return value.unicodeScalars.count > most
        case .same(let name):
            guard let other = fields.first(where: { $0.name == name }) else { return true }
            return value != self.value(of: other, values)
        case .oneOf(let choices): return !choices.contains(value)
        }
    }
}
