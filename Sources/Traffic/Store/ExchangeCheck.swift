import Web

/// A check that the server made before it rejected a request.
package struct ExchangeCheck: Sendable, Equatable {
    /// Machine-readable: `expiry`, `password` …
    package var name: String
    /// Human-readable, as a statement that holds or does not.
    package var title: String
    package var state: State
    /// What the check saw, in words; may be empty. Tokens are placeholders.
    package var evidence: String

    package enum State: String, Sendable, CaseIterable {
        case passed, failed
        case skipped
        /// Cannot be determined here: only the server knows.
        case unknown
    }

    package init(name: String, title: String, state: State, evidence: String) {
        self.name = name
        self.title = title
        self.state = state
        self.evidence = evidence
    }

    /// The text of the `checks` column; nil for no checks.
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
