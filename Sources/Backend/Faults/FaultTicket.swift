import Web

/// Identifies the exchange of the current task to the fault injector.
///
/// A task local, so that no code between the dispatcher and the point of the fault has to pass it
/// on. Database reads and writes run outside the task; they capture it as a value.
struct FaultTicket: Sendable {
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

    @TaskLocal static var current: FaultTicket?

    /// Whether `kind` applies to this exchange now; called at the relevant point.
    func triggers(_ kind: FaultHooks.Kind) -> Bool { hooks.trigger(kind, id) != nil }

    /// How far the backend's clock is ahead in this task.
    static var clockSkew: Duration { current?.clockSkew ?? .zero }
}

extension ContractContext {
    /// Whether a fault locks the account after a correct password.
    var isAccountLockSimulated: Bool { FaultTicket.current?.triggers(.accountLocked) ?? false }
}
