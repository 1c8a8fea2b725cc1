import Web

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
