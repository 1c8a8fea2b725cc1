extension Screen {
    /// Values that pass the rules of every field, or the best candidate where none passes.
    package func validInput(from sample: SamplePersona) -> [String: String] {
        var values: [String: String] = [:]
        for field in fields { values[field.name] = sample.candidates(for: field)[0] }
        // Two passes, because a rule may compare a field with a later one.
        for _ in 0..<2 {
            for field in fields {
                let others = fields.filter { $0.type == field.type && $0.name != field.name }
                let candidates =
                    sample.candidates(for: field) + others.compactMap { values[$0.name] }
                values[field.name] =
                    candidates.first { candidate in
                        var tried = values
                        tried[field.name] = candidate
                        return allErrors(in: tried)[field.name] == nil
                    } ?? candidates[0]
            }
        }
        return values
    }

    /// Values that produce `message` at `field` and as few other errors as possible; nil if no
    /// candidate does.
    package func invalidInput(field name: String, message: String, from sample: SamplePersona)
        -> InvalidInput?
    {
        let valid = validInput(from: sample)
        var best: InvalidInput?
        for values in invalidCandidates(at: name, in: valid, from: sample) {
            for input in validationResults(of: values) where input.errors[name] == message {
                if input.errors.count < best?.errors.count ?? .max { best = input }
            }
            if best?.errors.count == 1 { break }
        }
        return best
    }

    /// Form values that break a rule, and the resulting errors.
    package struct InvalidInput: Sendable, Equatable {
        package var values: [String: String]
        /// Messages by field.
        package var errors: [String: String]
        /// The action that reports the errors; nil if they are shown while typing.
        package var action: String?
    }

    // MARK: Candidates and checks

    /// The errors of `values` from every check, while typing and on every action.
    private func allErrors(in values: [String: String]) -> [String: String] {
        var all = checkWhileTyping(values)
        for action in allActions {
            all.merge(check(values, for: action)) { first, _ in first }
            all.merge(blockingErrors(values, for: action)) { first, _ in first }
        }
        return all
    }

    /// The results of each check of `values`, actions before typing.
    private func validationResults(of values: [String: String]) -> [InvalidInput] {
        allActions.filter { !$0.isInert }.map { action in
            let errors = check(values, for: action)
            return InvalidInput(
                values: values,
                errors: errors.isEmpty ? blockingErrors(values, for: action) : errors,
                action: action.name)
        } + [InvalidInput(values: values, errors: checkWhileTyping(values), action: nil)]
    }

    /// `valid` with typical mistakes in field `name`, in all fields of its type, or in all fields
    /// of a rule that names it.
    private func invalidCandidates(
        at name: String, in valid: [String: String], from sample: SamplePersona
    ) -> [[String: String]] {
        let kind = fields.first { $0.name == name }?.type
        let fieldGroups =
            [fields.filter { $0.type == kind }.map(\.name)]
            + rules.filter { $0.fields.contains(name) }.map(\.fields)
        let candidates =
            Self.invalidTexts + [
                sample.password + "-mistyped", sample.password.lowercased(),
                sample.password.uppercased(), sample.email, String(repeating: "a", count: 300),
            ]
        return ([[name]] + fieldGroups).flatMap { names in
            candidates.map { candidate in names.reduce(into: valid) { $0[$1] = candidate } }
        }
    }

    /// Typical mistakes and unusual input.
    private static let invalidTexts = [
        "mira.holt@example", "mira.holt", "harbour", "Harbou7", "Harbour", "harbour7", "HARBOUR7",
        "12345678", "1234567", "12", "x", " ", "harbourlantern", "HarbourLantern", "Harbour7",
        "+49-abc", "",
    ]

    /// Whether a password is chosen here: a password field has a minimum length and is not marked
    /// `current-password`.
    package var asksForNewPassword: Bool {
        fields.contains { field in
            field.type == .password && field.autocomplete != "current-password"
                && rules(of: field).contains { rule in
                    if case .min = rule.test { true } else { false }
                }
        }
    }
}

extension App {
    /// Whether any screen has an email field; an app without one signs in by itself.
    package var asksForEmail: Bool {
        screens.contains { screen in screen.fields.contains { $0.type == .email } }
    }
}

/// A fictitious user who fills in forms.
///
/// The addresses are of example.com (RFC 2606, 3).
package struct SamplePersona: Sendable, Equatable {
    package var email = "mira.holt@example.com"
    package var password = "Harbour7-lantern"
    package var firstName = "Mira"
    package var lastName = "Holt"
    /// The code from a message, for forms that ask for one.
    package var code = "123456"

    package init() {}

    /// Passwords for fields with different rules, the best match first.
    package var passwords: [String] { [password, password + "!", "Ab1!" + password] }

    /// Possible inputs for `field`, the best match first.
    func candidates(for field: Field) -> [String] {
        switch field.type {
        case .email: [email]
        case .password: passwords
        case .code: [code, "1234", "12345678"]
        case .toggle: ["on", ""]
        case .choice: (field.initialValue.map { [$0] } ?? []) + field.options.map(\.value)
        case .phone: ["", "+4915112345678", "5551234567", "(555) 123-4567"]
        case .text where field.lines != nil: ["The library is open all night this week.", ""]
        case .text: nameCandidates(for: field)
        }
    }

    private func nameCandidates(for field: Field) -> [String] {
        let fullName = "\(firstName) \(lastName)"
        let hints = "\(field.autocomplete ?? "") \(field.name)".lowercased()
        let best =
            if hints.contains("given") || hints.contains("first") {
                firstName
            } else if hints.contains("family") || hints.contains("last") { lastName } else {
                fullName
            }
        return [best, fullName, firstName, "Harbour", "A1", ""]
    }
}
