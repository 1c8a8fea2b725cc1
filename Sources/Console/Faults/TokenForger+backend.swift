package import Backend
package import Traffic

/// How traffic and the embedded backend, which do not know each other, make
/// trouble together. The tests' house makes it the same way as the roof.
extension TokenForger {
    /// Forges with the backend's own keys.
    package init(_ backend: EmbeddedBackend, at base: String) {
        self.init(
            baseURL: base,
            forge: { token, wrong, address in
                switch wrong {
                case .expired:
                    backend.makeExpired(
                        token, contract: address.contract, workspace: address.workspace)
                case .wrongAudience:
                    backend.makeWrongAudience(
                        token, contract: address.contract, workspace: address.workspace)
                }
            },
            markRefreshTokenUsed: { token, address in
                try await backend.markUsed(
                    refreshToken: token, contract: address.contract, workspace: address.workspace)
            })
    }
}

extension FaultHooks {
    /// Asks the conditions what befalls an exchange.
    package init(faults: FaultStore) {
        self.init { kind, ticket in
            Fault.Kind(rawValue: kind.rawValue).flatMap {
                faults.applyFault($0, ticket: ticket)
            }.map { fault in
                guard kind == .clockSkew else { return 0 }
                return fault.draft.skew ?? Fault.Draft.defaultSkew
            }
        }
    }
}
