import Web

/// The exchange this task answers, for as long as something may befall it.
///
/// It goes with the task, so that nothing between the door and the place
/// where it matters has to hand it on. Into a read or a write, which run
/// elsewhere, it is taken as a value.
struct Ticket: Sendable {
    private let id: String
    private let trouble: Trouble
    /// How far this backend's clock is ahead while it answers.
    private let skew: Duration

    /// Nil for an exchange nobody armed.
    init?(_ request: Request, _ trouble: Trouble) {
        guard let id = request.headers["Foyer-Ticket"] else { return nil }
        self.id = id
        self.trouble = trouble
        skew = .seconds(trouble.befalls(.clockSkew, id) ?? 0)
    }

    @TaskLocal static var current: Ticket?

    /// Whether `kind` befalls this exchange now; asked where it matters.
    func befalls(_ kind: Trouble.Kind) -> Bool { trouble.befalls(kind, id) != nil }

    /// How far the backend's clock is ahead in this task.
    static var skew: Duration { current?.skew ?? .zero }
}

extension Premises {
    /// Whether the account whose password was right is locked, on purpose.
    var isLockedOut: Bool { Ticket.current?.befalls(.accountLocked) ?? false }
}
