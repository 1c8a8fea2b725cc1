import Crypto
import SQLite
import Web

/// The injected faults that the backend itself has to produce.
///
/// The fault injector gives an exchange a ticket. While the backend processes that exchange, it
/// asks at the relevant point whether a fault applies, so a code expires where it is checked and a
/// mail is lost where it is sent.
package struct FaultHooks: Sendable {
    /// The faults of an exchange; the raw value is the API name.
    package enum Kind: String, Sendable, CaseIterable {
        /// The password is correct, but the account is locked.
        case accountLocked
        /// The code is correct, but expired.
        case codeExpired
        /// This backend's clock differs from the device's.
        case clockSkew
        /// A mail is sent but never delivered.
        case mailLost
    }

    /// Seconds for `clockSkew`, 0 for the others; nil if no fault applies.
    let trigger: @Sendable (_ kind: Kind, _ ticket: String) -> Int?

    package init(trigger: @escaping @Sendable (_ kind: Kind, _ ticket: String) -> Int?) {
        self.trigger = trigger
    }

    /// Injects no faults.
    package static let none = FaultHooks { _, _ in nil }
}

/// Identifies the exchange of the current task to the fault injector.
///
/// A task local, so that no code between the dispatcher and the point of the fault has to pass it
/// on. Database reads and writes run outside the task; they capture it as a value.
package struct FaultTicket: Sendable {
    private let id: String
    private let hooks: FaultHooks
    /// How far this backend's clock is ahead for this exchange.
    private let clockSkew: Duration

    /// Nil for an exchange without a ticket.
    init?(_ request: Request, _ hooks: FaultHooks) {
        guard let id = request.headers["X-Foyer-Ticket"] else { return nil }
        self.id = id
        self.hooks = hooks
        clockSkew = .seconds(hooks.trigger(.clockSkew, id) ?? 0)
    }

    @TaskLocal package static var current: FaultTicket?

    /// Whether `kind` applies to this exchange now; called at the relevant point.
    package func triggers(_ kind: FaultHooks.Kind) -> Bool { hooks.trigger(kind, id) != nil }

    /// How far the backend's clock is ahead in this task.
    static var clockSkew: Duration { current?.clockSkew ?? .zero }
}

extension EmbeddedBackend {
    /// The token for another audience, signed again; nil unless this contract's key signed it.
    package func makeWrongAudience(_ token: String, contract: String) -> String? {
        accessTokens(of: contract)?.makeWrongAudience(token)
    }

    /// Marks a refresh token as used an hour ago by another client that went on refreshing. What
    /// its next use leads to is the contract's own rule.
    package func markUsed(refreshToken token: String, contract: String, workspace: String)
        async throws
    {
        let realm = Realm(workspace: workspace, contract: contract)
        let digest = Digest.sha256(token)
        let usedAt = context.now(in: realm) - .seconds(3_600)
        try await context.database.write { connection in
            guard let record = try connection.session(ofRefreshToken: digest, in: realm) else {
                return
            }
            try connection.run(
                "UPDATE refresh_tokens SET used_at = ? WHERE digest = ?",
                [usedAt.sqlValue, .text(digest)])
            // Two generations on, because reuse of the last but one may be tolerated.
            try connection.run(
                "UPDATE sessions SET generation = generation + 2 WHERE id = ?",
                [.text(record.session.id)])
        }
    }

    /// Whether the contract supports a fault: one without passwords cannot lock an account, for
    /// example.
    package func supports(_ kind: FaultHooks.Kind, contract: String) -> Bool {
        self.contract(contract).map { type(of: $0).supportedFaults.contains(kind) } ?? false
    }
}
