package import Backend
package import Traffic

/// How traffic and the embedded backend, which do not know each other, make
/// trouble together. The tests' house makes it the same way as the roof.
extension Accomplice {
    /// Forges with the backend's own keys.
    package init(_ backend: EmbeddedBackend, at base: String) {
        self.init(
            base: base,
            forge: { token, wrong, address in
                switch wrong {
                case .expiry:
                    backend.expired(token, contract: address.contract, workspace: address.workspace)
                case .audience:
                    backend.misdirected(
                        token, contract: address.contract, workspace: address.workspace)
                }
            },
            spend: { token, address in
                try await backend.spend(
                    refreshToken: token, contract: address.contract, workspace: address.workspace)
            })
    }
}

extension Trouble {
    /// Asks the conditions what befalls an exchange.
    package init(by conditions: Conditions) {
        self.init { kind, ticket in
            Condition.Kind(rawValue: kind.rawValue).flatMap {
                conditions.befalls($0, ticket: ticket)
            }.map { condition in
                guard kind == .clockSkew else { return 0 }
                return condition.draft.skew ?? Condition.Draft.defaultSkew
            }
        }
    }
}
