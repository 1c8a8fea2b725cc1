package import Backend
package import Traffic

extension ExchangeCheck {
    /// What the embedded backend checked before it refused the request whose
    /// answer bore this id, as traffic keeps it; the backend gives it once.
    package static func checks(from backend: EmbeddedBackend, requestID request: String)
        -> [ExchangeCheck]
    {
        (backend.takeCheckResults(forRequest: request) ?? []).map { check in
            let state: State =
                switch check.state {
                case .passed: .passed
                case .failed: .failed
                case .skipped: .skipped
                }
            return ExchangeCheck(
                name: check.name, title: check.title, state: state, evidence: check.evidence)
        }
    }
}
