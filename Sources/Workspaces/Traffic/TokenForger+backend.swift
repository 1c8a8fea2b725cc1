package import Backend
package import Traffic

/// Connects fault injection with the embedded backend; the two modules do not import each other.
/// The tests use this connection too.
extension TokenForger {
    /// Forges tokens with the backend's own keys.
    package init(_ backend: EmbeddedBackend, at base: String) {
        self.init(
            baseURL: base,
            forge: { token, defect, target in
                switch defect {
                case .expired:
                    backend.makeExpired(
                        token, contract: target.contract, workspace: target.workspace)
                case .wrongAudience:
                    backend.makeWrongAudience(token, contract: target.contract)
                }
            },
            markRefreshTokenUsed: { token, target in
                try await backend.markUsed(
                    refreshToken: token, contract: target.contract, workspace: target.workspace)
            })
    }
}

extension FaultHooks {
    /// Queries the fault store for faults that apply to an exchange.
    package init(faults: FaultStore) {
        self.init { kind, ticket in
            Fault.Kind(rawValue: kind.rawValue).flatMap { faults.applyFault($0, ticket: ticket) }
                .map { fault in
                    guard kind == .clockSkew else { return 0 }
                    return fault.draft.skew ?? Fault.Draft.defaultSkew
                }
        }
    }
}

extension ExchangeCheck {
    /// The embedded backend's checks before it rejected the request whose response had this id, for
    /// recording. The backend returns them only once.
    package static func checks(from backend: EmbeddedBackend, requestID request: String)
        -> [ExchangeCheck]
    {
        (backend.takeCheckResults(forRequest: request) ?? []).map { check in
            ExchangeCheck(
                name: check.name, title: check.title,
                state: State(rawValue: check.state.rawValue) ?? .unknown, evidence: check.evidence)
        }
    }
}
