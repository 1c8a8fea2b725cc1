package import Backend
package import Traffic

extension ExchangeCheck {
    /// The embedded backend's checks before it rejected the request whose response had this id, for
    /// recording. The backend returns them only once.
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
