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
