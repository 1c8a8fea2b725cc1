package import Backend
package import Traffic

extension ExchangeCheck {
    /// What the embedded backend checked before it refused the request whose
    /// answer bore this id, as traffic keeps it; the backend gives it once.
    package static func made(by backend: EmbeddedBackend, for request: String) -> [ExchangeCheck] {
        (backend.checks(ofRequest: request) ?? []).map { check in
            let state: State =
                switch check.state {
                case .passed: .passed
                case .failed: .failed
                case .notReached: .notReached
                }
            return ExchangeCheck(
                name: check.name, title: check.title, state: state, evidence: check.evidence)
        }
    }
}
