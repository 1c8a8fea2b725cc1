extension Screen {
    /// Values that pass the rules of every field, as `sample` would type
    /// them; where no word passes, the most fitting one stands.
    package func validInput(from sample: SamplePersona) -> [String: String] {
        var values: [String: String] = [:]
        for field in fields { values[field.name] = sample.candidates(for: field)[0] }
        // A field may be measured by one that comes after it.
        for _ in 0..<2 {
            for field in fields {
                let words = sample.candidates(for: field) + valuesOfSameType(as: field, values)
                values[field.name] =
                    words.first { word in
                        var tried = values
                        tried[field.name] = word
                        return allErrors(in: tried)[field.name] == nil
                    } ?? words[0]
            }
        }
        return values
    }

    /// Values that make `message` stand at `field`, and as little else as can
    /// be; nil where no way was found.
    package func invalidInput(field name: String, message: String, from sample: SamplePersona)
        -> InvalidInput?
    {
        let good = validInput(from: sample)
        var best: InvalidInput?
        for values in invalidCandidates(at: name, in: good, from: sample) {
            for mistake in validationResults(of: values) where mistake.errors[name] == message {
                if mistake.errors.count < best?.errors.count ?? .max { best = mistake }
            }
            if best?.errors.count == 1 { break }
        }
        return best
    }

    /// A form filled in wrong.
    package struct InvalidInput: Sendable, Equatable {
        package var values: [String: String]
        /// What is said, by field.
        package var errors: [String: String]
        /// The action that says it when it is pressed; nil where it is said
        /// while somebody types.
        package var action: String?
    }

    // MARK: Words

    /// All that is said of `values`, whoever says it.
    private func allErrors(in values: [String: String]) -> [String: String] {
        var all = checkWhileTyping(values)
        for action in allActions {
            all.merge(check(values, for: action)) { first, _ in first }
            all.merge(blockingErrors(values, for: action)) { first, _ in first }
        }
        return all
    }

    /// What each way of asking says of `values`, pressing first.
    private func validationResults(of values: [String: String]) -> [InvalidInput] {
        allActions.filter { !$0.isInert }.map { action in
            let rules = check(values, for: action)
            return InvalidInput(
                values: values, errors: rules.isEmpty ? blockingErrors(values, for: action) : rules,
                action: action.name)
        } + [InvalidInput(values: values, errors: checkWhileTyping(values), action: nil)]
    }

    private func valuesOfSameType(as field: Field, _ values: [String: String]) -> [String] {
        fields.filter { $0.type == field.type && $0.name != field.name }.compactMap {
            values[$0.name]
        }
    }

    /// The same form with words that somebody may get wrong, in that field or
    /// in all that a rule names with it.
    private func invalidCandidates(
        at name: String, in good: [String: String], from sample: SamplePersona
    )
        -> [[String: String]]
    {
        let kind = fields.first { $0.name == name }?.type
        let together =
            [fields.filter { $0.type == kind }.map(\.name)]
            + rules.filter { $0.fields.contains(name) }.map(\.fields)
        let words =
            Self.invalidTexts + [
                sample.password + "-mistyped", sample.password.lowercased(),
                sample.password.uppercased(), sample.email, String(repeating: "a", count: 300),
            ]
        return words.map { word in good.merging([name: word]) { $1 } }
            + together.flatMap { names in
                words.map { word in
                    var values = good
                    for name in names { values[name] = word }
                    return values
                }
            }
    }

    /// What people leave in a form.
    private static let invalidTexts = [
        "mira.holt@example", "mira.holt", "harbour", "Harbou7", "Harbour",
        "harbour7", "HARBOUR7", "12345678", "1234567", "12", "x", " ",
        "harbourlantern", "HarbourLantern", "Harbour7", "+49-abc",
        "",
    ]
}
