package import FoundationEssentials

/// A simulated failure: its kind, the calls it affects, and how often.
///
/// Faults apply in order of creation, exactly as often as configured. A fault's label is recorded
/// with every exchange it affected.
package struct Fault: Sendable, Equatable {
    /// `cnd_…`
    package var id: String
    /// Its position in creation order, which is the order of application.
    package var sequence: Int64
    package var workspace: String
    /// Its definition.
    package var draft: Draft
    /// The preset it was created from.
    package var presetID: String?
    /// How often it was applied.
    package var appliedCount: Int
    package var createdAt: Date
    /// The exchange it affected last.
    package var lastAffected: AffectedExchange?

    package var kind: Kind { draft.kind }

    /// How many applications are left; nil for unlimited.
    package var remaining: Int? { draft.times.map { max(0, $0 - appliedCount) } }

    /// Whether it applies before the backend processes the request or after.
    package enum Phase: String, Sendable, CaseIterable { case before, after }

    /// An exchange affected by a fault.
    package struct AffectedExchange: Sendable, Equatable {
        package var exchangeID: String
        /// `POST /auth/login`, without a query.
        package var call: String
        package var at: Date
    }

    /// Whether workspace, app, device and call of the exchange match its scope.
    func applies(to exchangeContext: ExchangeContext) -> Bool {
        workspace == exchangeContext.workspace
            && draft.app.map { $0 == exchangeContext.app } ?? true
            && draft.device.map { $0 == exchangeContext.device } ?? true
            && draft.call.map { $0 == exchangeContext.call } ?? true
    }
}
