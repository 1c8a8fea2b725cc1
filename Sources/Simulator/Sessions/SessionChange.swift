import Apps
import FoundationEssentials
import Web

/// What a change of an app's storage means to its session.
///
/// A session begins when an access token is stored after none, goes on while
/// there is one, and ends when there is none.
struct SessionChange: Sendable {
    /// Sessions to write, an ended one before a new one.
    private(set) var written: [(session: Session, generation: Int)] = []
    private(set) var moments: [(session: String, moment: SessionMoment)] = []
    /// Tokens the device held and does not hold any more.
    private(set) var retired: [TokenDraft] = []
    private(set) var began: Session?
    private(set) var changed: Session?
    private(set) var ended: Session?

    private let now: Date
    private let reason: SessionReason

    /// Draws the conclusions into `new`. `held` is what calls captured;
    /// `identifier` makes a new session's.
    init(
        from old: Kept, to new: inout Kept, app: App, place: Place, held: [String: JSON],
        because reason: SessionReason, at now: Date, identifier: () -> String
    ) {
        self.now = now
        self.reason = reason
        let before = old.accessToken(in: app)
        let after = new.accessToken(in: app)
        let refresh = new.refreshToken(in: app)
        let olds = (before, old.refreshToken(in: app))
        guard let after else {
            if let session = new.session {
                retire(session, olds)
                end(session, &new)
            }
            return
        }
        if let session = new.session, before != after, isSignIn(before) {
            retire(session, olds)
            end(session, &new, "Replaced by another sign-in")
        }
        guard var session = new.session else {
            begin(&new, app, place, access: after, refresh: refresh, held, identifier)
            return
        }
        let heldBefore = session
        retire(session, (before == after ? nil : before, olds.1 == refresh ? nil : olds.1))
        if before != after { session.accessToken = Session.Held(token: after, at: now) }
        if old.refreshToken(in: app) != refresh {
            session.refreshToken = refresh.map { Session.Held(token: $0, at: now) }
        }
        session.name(app, new, held)
        // Within a second a server may sign the same access token twice.
        var isRenewed = false
        if case .refresh = reason { isRenewed = before != after || olds.1 != refresh }
        if before != after || isRenewed { new.generation += 1 }
        if isRenewed {
            session.refreshCount += 1
            session.refreshedAt = now
            // Whatever was heard of it before, its server goes on with it.
            session.state = .active
            session.backend = new.backend ?? app.backends.first?.id ?? ""
        }
        guard session != heldBefore else { return }
        new.session = session
        changed = session
        written.append((session, new.generation))
        if let (kind, title) = word(heldBefore, session) {
            note(kind, title, session, new.generation)
        }
    }

    /// A state was put back: its session goes on as it was then, and one
    /// that is under way and not of it ends.
    init(restoring wanted: Session?, from old: Kept, to new: inout Kept, app: App, at now: Date) {
        self.now = now
        reason = .hand
        if let session = old.session {
            // They are given up as by a refresh, and can be shown again.
            let olds = (old.accessToken(in: app), old.refreshToken(in: app))
            retire(
                session,
                (
                    olds.0 == new.accessToken(in: app) ? nil : olds.0,
                    olds.1 == new.refreshToken(in: app) ? nil : olds.1
                ))
        }
        if let session = old.session, session.id != wanted?.id {
            var kept = old
            end(session, &kept, "Put aside: an earlier state came back")
        }
        new.session = wanted
        guard let wanted, wanted != old.session else { return }
        changed = wanted
        written.append((wanted, new.generation))
        note("restored", "Put back as it was then", wanted, new.generation)
    }

    /// An action that stores another access token signs in anew.
    private func isSignIn(_ before: String?) -> Bool {
        if case .run = reason { before != nil } else { false }
    }

    /// Keeps what the device held of `session` and now gives up.
    private mutating func retire(_ session: Session, _ tokens: (access: String?, refresh: String?))
    {
        func draft(_ kind: KeptToken.Kind, _ value: String?, _ held: Session.Held?) -> TokenDraft? {
            guard let value, !value.isEmpty, let held else { return nil }
            return TokenDraft(
                session: session.id, kind: kind, generation: session.generation, branch: .own,
                held: held, value: value)
        }
        retired += [
            draft(.access, tokens.access, session.accessToken),
            draft(.refresh, tokens.refresh, session.refreshToken),
        ].compactMap(\.self)
    }

    private mutating func begin(
        _ new: inout Kept, _ app: App, _ place: Place, access: String, refresh: String?,
        _ held: [String: JSON], _ identifier: () -> String
    ) {
        var session = Session(
            id: identifier(), workspace: place.workspace, app: place.app, device: place.device,
            backend: new.backend ?? app.backends.first?.id ?? "", userID: nil, email: nil,
            state: .active, createdAt: now, refreshedAt: nil, refreshCount: 0, endedAt: nil,
            accessToken: Session.Held(token: access, at: now),
            refreshToken: refresh.map { Session.Held(token: $0, at: now) })
        session.name(app, new, held)
        new.session = session
        new.generation = 1
        began = session
        written.append((session, 1))
        let whom = session.email.map { "Signed in as \($0)" } ?? "Signed in"
        if case .hand = reason {
            note("edited", "An access token was written by hand", session, 1)
        } else {
            note("signedIn", whom, session, 1)
        }
    }

    private mutating func end(_ session: Session, _ new: inout Kept, _ title: String? = nil) {
        var session = session
        session.endedAt = now
        var words = title ?? "Signed out"
        switch reason {
        case .lost:
            session.state = .revoked
            words = title ?? "The backend no longer took its tokens"
        case .hand:
            session.state = .signedOut
            words = title ?? "Its access token was forgotten by hand"
        case .run, .refresh, .expired: session.state = .signedOut
        }
        new.session = nil
        ended = session
        written.append((session, new.generation))
        note(session.state.rawValue, words, session, new.generation)
    }

    /// The moment a change is, if it is one.
    private func word(_ before: Session, _ after: Session) -> (kind: String, title: String)? {
        let isNew = before.accessToken != after.accessToken
        guard isNew || before.refreshToken != after.refreshToken else { return nil }
        let which = isNew ? "access token" : "refresh token"
        switch reason {
        case .refresh(_, let words): return ("refreshed", words)
        case .expired(let because): return ("expiredByHand", because)
        case .hand: return ("edited", "Its \(which) was changed by hand")
        case .run, .lost: return ("refreshed", "A new \(which) came")
        }
    }

    private mutating func note(
        _ kind: String, _ title: String, _ session: Session, _ generation: Int
    ) {
        moments.append(
            (
                session.id,
                SessionMoment(
                    at: now, kind: kind, title: title, generation: generation,
                    exchange: reason.exchange)
            ))
    }
}

extension Session {
    /// Says whose it is, as far as that is known by now.
    fileprivate mutating func name(_ app: App, _ kept: Kept, _ held: [String: JSON]) {
        let user = held["user"]
        let claims = accessToken?.claims
        userID =
            userID ?? kept.item(holding: "userID", in: app)?.value ?? user?["id"]?.text
            ?? claims?["sub"]?.text
        email =
            email ?? claims?["email"]?.string ?? user?["email"]?.string ?? kept.item(
                holding: "email", in: app)?.value ?? held["email"]?.string
    }
}
