import Web

/// The exchange this task answers, for as long as something may befall it.
///
/// It goes with the task, so that nothing between the door and the place
/// where it matters has to hand it on. Into a read or a write, which run
/// elsewhere, it is taken as a value.
struct FaultTicket: Sendable {
    private let id: String
    private let hooks: FaultHooks
    /// How far this backend's clock is ahead while it answers.
    private let clockSkew: Duration

    /// Nil for an exchange nobody armed.
    init?(_ request: Request, _ fault: FaultHooks) {
        guard let id = request.headers["Foyer-Ticket"] else { return nil }
        self.id = id
        self.hooks = fault
        clockSkew = .seconds(fault.trigger(.clockSkew, id) ?? 0)
    }

    @TaskLocal static var current: FaultTicket?

    /// Whether `kind` befalls this exchange now; asked where it matters.
    func triggers(_ kind: FaultHooks.Kind) -> Bool { hooks.trigger(kind, id) != nil }

    /// How far the backend's clock is ahead in this task.
    static var clockSkew: Duration { current?.clockSkew ?? .zero }
}

extension ContractContext {
    /// Whether the account whose password was right is locked, on purpose.
    var isAccountLockSimulated: Bool { FaultTicket.current?.triggers(.accountLocked) ?? false }
}
