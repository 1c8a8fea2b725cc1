import Web

/// One thing a server looked at before it refused an exchange.
package struct ExchangeCheck: Sendable, Equatable {
    /// For programs: `expiry`, `password` …
    package var name: String
    /// For a person, as a statement that holds or does not.
    package var title: String
    package var state: State
    /// What was seen, in words; may be empty. Tokens stand as placeholders.
    package var evidence: String

    package enum State: String, Sendable, CaseIterable {
        case passed, failed
        case skipped = "notReached"
        /// It could not be told from here: only the server knows.
        case unknown
    }

    package init(name: String, title: String, state: State, evidence: String) {
        self.name = name
        self.title = title
        self.state = state
        self.evidence = evidence
    }

    /// A column's text; nil for none.
    static func encode(_ checks: [ExchangeCheck]) -> String? {
        guard !checks.isEmpty else { return nil }
        return JSON.array(
            checks.map {
                [
                    .string($0.name), .string($0.title), .string($0.state.rawValue),
                    .string($0.evidence),
                ]
            }
        ).description
    }

    static func decode(_ text: String) -> [ExchangeCheck] {
        guard case .array(let rows)? = try? JSON(parsing: text) else { return [] }
        return rows.compactMap { row in
            guard case .array(let parts) = row, parts.count == 4, let name = parts[0].string,
                let title = parts[1].string,
                let state = parts[2].string.flatMap(State.init(rawValue:)),
                let evidence = parts[3].string
            else { return nil }
            return ExchangeCheck(name: name, title: title, state: state, evidence: evidence)
        }
    }
}
