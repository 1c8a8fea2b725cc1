import SQLite

/// A link or code that was mailed: it ends, and works once.
///
/// What the mail holds is kept as a SHA-256 digest, so the table alone opens
/// nothing.
struct Challenge: Sendable, Equatable {
    let digest: String
    /// Nil while nobody has the address yet (sign-up by code).
    let account: String?
    let realm: Realm
    let purpose: Purpose
    /// Normalised.
    let email: String
    /// The mail it went out with.
    let mail: String?
    /// Wrong guesses so far, for codes.
    var attempts = 0
    let createdAt: Moment
    let expiresAt: Moment
    var usedAt: Moment?
    /// When a newer one took its place.
    var replacedAt: Moment?

    init(
        digest: String, account: String?, realm: Realm, purpose: Purpose, email: String,
        mail: String?, createdAt: Moment, expiresAt: Moment
    ) {
        self.digest = digest
        self.account = account
        self.realm = realm
        self.purpose = purpose
        self.email = email
        self.mail = mail
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }

    /// Reads a whole row of `challenges`; nil for a purpose we do not know.
    init?(_ row: Row) {
        guard let purpose = Purpose(rawValue: row.text(4)) else { return nil }
        digest = row.text(0)
        account = row.optionalText(1)
        realm = Realm(workspace: row.text(2), contract: row.text(3))
        self.purpose = purpose
        email = row.text(5)
        mail = row.optionalText(6)
        attempts = Int(row.integer(7))
        createdAt = row.moment(8)
        expiresAt = row.moment(9)
        usedAt = row.optionalMoment(10)
        replacedAt = row.optionalMoment(11)
    }

    /// What it is for. Where a server knows both a link and a code for one
    /// thing, the code has a purpose of its own: digits can be guessed at, and
    /// no guess may end a link.
    enum Purpose: String, Sendable {
        case verify, reset, login, register
        case emailChange = "email change"
        case verifyCode = "verify code"
        case resetCode = "reset code"

        /// The mailbox's word, which is the same for a link and a code.
        var word: String {
            switch self {
            case .verifyCode: Purpose.verify.rawValue
            case .resetCode: Purpose.reset.rawValue
            default: rawValue
            }
        }
    }

    /// Whether it still works.
    enum State: Sendable, Equatable { case fresh, used, replaced, expired }

    func state(at now: Moment) -> State {
        let state = judged(at: now)
        Trail.note(.codeFresh, state == .fresh, words(state, at: now))
        return state
    }

    private func words(_ state: State, at now: Moment) -> String {
        switch state {
        case .fresh: "for \(now.span(to: expiresAt)) more"
        case .expired: "it is right but expired \(expiresAt.span(to: now)) ago"
        case .used: "it was used \((usedAt ?? now).span(to: now)) ago"
        case .replaced: "a newer one was sent \((replacedAt ?? now).span(to: now)) ago"
        }
    }

    private func judged(at now: Moment) -> State {
        if usedAt != nil { return .used }
        if replacedAt != nil { return .replaced }
        return now >= expiresAt ? .expired : .fresh
    }
}
