import Apps
import FoundationEssentials
import Web

/// What a change of an app's storage means to its session.
///
/// A session begins when an access token is stored after none, goes on while
/// there is one, and ends when there is none.
struct SessionChange: Sendable {
    /// Sessions to write, an ended one before a new one.
    private(set) var updatedSessions: [(session: Session, generation: Int)] = []
    private(set) var historyEntries: [(session: String, moment: SessionHistoryEntry)] = []
    /// Tokens the device held and does not hold any more.
    private(set) var retiredTokens: [ArchivedTokenDraft] = []
    private(set) var startedSession: Session?
    private(set) var changedSession: Session?
    private(set) var endedSession: Session?

    private let now: Date
    private let reason: StorageChangeReason

    /// Draws the conclusions into `new`. `held` is what calls captured;
    /// `identifier` makes a new session's.
    init(
        from old: PersistedAppState, to new: inout PersistedAppState, app: App,
        instance: AppInstance, captured: [String: JSON],
        reason: StorageChangeReason, at now: Date, makeID: () -> String
    ) {
        self.now = now
        self.reason = reason
        let before = old.accessToken(in: app)
        let after = new.accessToken(in: app)
        let refresh = new.refreshToken(in: app)
        let olds = (before, old.refreshToken(in: app))
        guard let after else {
            if let session = new.session {
                retireTokens(session, olds)
                endSession(session, &new)
            }
            return
        }
        if let session = new.session, before != after, isSignIn(before) {
            retireTokens(session, olds)
            endSession(session, &new, "Replaced by another sign-in")
        }
        guard var session = new.session else {
            startSession(&new, app, instance, access: after, refresh: refresh, captured, makeID)
            return
        }
        let heldBefore = session
        retireTokens(session, (before == after ? nil : before, olds.1 == refresh ? nil : olds.1))
        if before != after { session.accessToken = Session.TokenSummary(token: after, at: now) }
        if old.refreshToken(in: app) != refresh {
            session.refreshToken = refresh.map { Session.TokenSummary(token: $0, at: now) }
        }
        session.identifyUser(app, new, captured)
        // Within a second a server may sign the same access token twice.
        var isRenewed = false
        if case .refresh = reason { isRenewed = before != after || olds.1 != refresh }
        if before != after || isRenewed { new.accessTokenGeneration += 1 }
        if isRenewed {
            session.refreshCount += 1
            session.refreshedAt = now
            // Whatever was heard of it before, its server goes on with it.
            session.state = .active
            session.backend = new.backend ?? app.backends.first?.id ?? ""
        }
        guard session != heldBefore else { return }
        new.session = session
        changedSession = session
        updatedSessions.append((session, new.accessTokenGeneration))
        if let (kind, title) = updateDescription(heldBefore, session) {
            addHistoryEntry(kind, title, session, new.accessTokenGeneration)
        }
    }

    /// A state was put back: its session goes on as it was then, and one
    /// that is under way and not of it ends.
    init(
        restoring wanted: Session?, from old: PersistedAppState, to new: inout PersistedAppState,
        app: App, at now: Date
    ) {
        self.now = now
        reason = .manual
        if let session = old.session {
            // They are given up as by a refresh, and can be shown again.
            let olds = (old.accessToken(in: app), old.refreshToken(in: app))
            retireTokens(
                session,
                (
                    olds.0 == new.accessToken(in: app) ? nil : olds.0,
                    olds.1 == new.refreshToken(in: app) ? nil : olds.1
                ))
        }
        if let session = old.session, session.id != wanted?.id {
            var persisted = old
            endSession(session, &persisted, "Put aside: an earlier state came back")
        }
        new.session = wanted
        guard let wanted, wanted != old.session else { return }
        changedSession = wanted
        updatedSessions.append((wanted, new.accessTokenGeneration))
        addHistoryEntry("restored", "Put back as it was then", wanted, new.accessTokenGeneration)
    }

    /// An action that stores another access token signs in anew.
    private func isSignIn(_ before: String?) -> Bool {
        if case .run = reason { before != nil } else { false }
    }

    /// Keeps what the device held of `session` and now gives up.
    private mutating func retireTokens(
        _ session: Session, _ tokens: (access: String?, refresh: String?)
    ) {
        func draft(_ kind: ArchivedToken.Kind, _ value: String?, _ summary: Session.TokenSummary?)
            -> ArchivedTokenDraft?
        {
            guard let value, !value.isEmpty, let summary else { return nil }
            return ArchivedTokenDraft(
                session: session.id, kind: kind, generation: session.generation, origin: .device,
                summary: summary, value: value)
        }
        retiredTokens += [
            draft(.access, tokens.access, session.accessToken),
            draft(.refresh, tokens.refresh, session.refreshToken),
        ].compactMap(\.self)
    }

    private mutating func startSession(
        _ new: inout PersistedAppState, _ app: App, _ instance: AppInstance, access: String,
        refresh: String?,
        _ held: [String: JSON], _ identifier: () -> String
    ) {
        var session = Session(
            id: identifier(), workspace: instance.workspace, app: instance.app,
            device: instance.device,
            backend: new.backend ?? app.backends.first?.id ?? "", userID: nil, email: nil,
            state: .active, createdAt: now, refreshedAt: nil, refreshCount: 0, endedAt: nil,
            accessToken: Session.TokenSummary(token: access, at: now),
            refreshToken: refresh.map { Session.TokenSummary(token: $0, at: now) })
        session.identifyUser(app, new, held)
        new.session = session
        new.accessTokenGeneration = 1
        startedSession = session
        updatedSessions.append((session, 1))
        let whom = session.email.map { "Signed in as \($0)" } ?? "Signed in"
        if case .manual = reason {
            addHistoryEntry("edited", "An access token was written by hand", session, 1)
        } else {
            addHistoryEntry("signedIn", whom, session, 1)
        }
    }

    private mutating func endSession(
        _ session: Session, _ new: inout PersistedAppState, _ title: String? = nil
    ) {
        var session = session
        session.endedAt = now
        var words = title ?? "Signed out"
        switch reason {
        case .sessionExpired:
            session.state = .revoked
            words = title ?? "The backend no longer took its tokens"
        case .manual:
            session.state = .signedOut
            words = title ?? "Its access token was forgotten by hand"
        case .run, .refresh, .tokenExpiredManually: session.state = .signedOut
        }
        new.session = nil
        endedSession = session
        updatedSessions.append((session, new.accessTokenGeneration))
        addHistoryEntry(session.state.rawValue, words, session, new.accessTokenGeneration)
    }

    /// The moment a change is, if it is one.
    private func updateDescription(_ before: Session, _ after: Session) -> (
        kind: String, title: String
    )? {
        let isNew = before.accessToken != after.accessToken
        guard isNew || before.refreshToken != after.refreshToken else { return nil }
        let which = isNew ? "access token" : "refresh token"
        switch reason {
        case .refresh(_, let words): return ("refreshed", words)
        case .tokenExpiredManually(let because): return ("expiredByHand", because)
        case .manual: return ("edited", "Its \(which) was changed by hand")
        case .run, .sessionExpired: return ("refreshed", "A new \(which) came")
        }
    }

    private mutating func addHistoryEntry(
        _ kind: String, _ title: String, _ session: Session, _ generation: Int
    ) {
        historyEntries.append(
            (
                session.id,
                SessionHistoryEntry(
                    at: now, kind: kind, title: title, generation: generation,
                    exchange: reason.exchange)
            ))
    }
}

extension Session {
    /// Says whose it is, as far as that is known by now.
    fileprivate mutating func identifyUser(
        _ app: App, _ persisted: PersistedAppState, _ held: [String: JSON]
    ) {
        let user = held["user"]
        let claims = accessToken?.claims
        userID =
            userID ?? persisted.item(holding: "userID", in: app)?.value ?? user?["id"]?.scalarText
            ?? claims?["sub"]?.scalarText
        email =
            email ?? claims?["email"]?.string ?? user?["email"]?.string ?? persisted.item(
                holding: "email", in: app)?.value ?? held["email"]?.string
    }
}
