import Apps
import Core
import FoundationEssentials
import Web

/// How a change of an app's storage affects its session.
///
/// A session starts when an access token is stored after none, continues while there is one, and
/// ends when there is none.
struct SessionChange: Sendable {
    /// Sessions to write, an ended one before a new one.
    private(set) var updatedSessions: [Session] = []
    private(set) var historyEntries: [(session: String, entry: SessionHistoryEntry)] = []
    /// Tokens that the device no longer holds, unsealed.
    private(set) var retiredTokens: [StoredToken] = []
    /// The events of the change, in this order.
    private(set) var events: [SessionEvent] = []

    typealias SessionEvent = (
        kind: Event.Kind, session: String, title: String, details: [String: String]
    )

    private let now: Date
    private let reason: StorageChangeReason

    /// Updates the session in `new`. `captured` are values that calls captured; `makeID` creates a
    /// new session's id.
    init(
        from old: PersistedAppState, to new: inout PersistedAppState, app: App,
        instance: AppInstance, captured: [String: JSON], reason: StorageChangeReason, at now: Date,
        makeID: () -> String
    ) {
        self.now = now
        self.reason = reason
        let before = old.accessToken(in: app)
        let refresh = new.refreshToken(in: app)
        let oldRefresh = old.refreshToken(in: app)
        let backend = new.backend ?? app.backends.first?.id ?? ""
        guard let after = new.accessToken(in: app) else {
            if let session = new.session {
                retireTokens(session, of: old, replacedBy: nil, app)
                endSession(session, &new)
            }
            return
        }
        if let session = new.session, before != after, isSignIn(before, after, session) {
            retireTokens(session, of: old, replacedBy: nil, app)
            endSession(session, &new, "Replaced by another sign-in")
        }
        guard var session = new.session else {
            var session = Session(
                id: makeID(), workspace: instance.workspace, app: instance.app,
                device: instance.device, backend: backend, createdAt: now,
                accessToken: Session.TokenSummary(decoding: after, at: now),
                refreshToken: refresh.map { Session.TokenSummary(decoding: $0, at: now) })
            session.identifyUser(app, new, captured)
            new.session = session
            let title = session.email.map { "Signed in as \($0)" } ?? "Signed in"
            events.append((.sessionBegan, session.id, title, [:]))
            if case .manual = reason {
                write(session, "edited", "Access token added manually")
            } else {
                write(session, "signedIn", title)
            }
            return
        }
        let previousSession = session
        retireTokens(session, of: old, replacedBy: new, app)
        if before != after { session.accessToken = Session.TokenSummary(decoding: after, at: now) }
        if oldRefresh != refresh {
            session.refreshToken = refresh.map { Session.TokenSummary(decoding: $0, at: now) }
        }
        session.identifyUser(app, new, captured)
        // A server may issue the identical access token twice within a second.
        var isRefreshed = false
        if case .refresh = reason { isRefreshed = before != after || oldRefresh != refresh }
        if before != after || isRefreshed { session.accessTokenGeneration += 1 }
        if isRefreshed {
            session.refreshCount += 1
            session.refreshedAt = now
            // The server continues the session, whatever was observed before.
            session.state = .active
            session.backend = backend
        }
        guard session != previousSession else { return }
        new.session = session
        if let (kind, title) = updateDescription(previousSession, session) {
            write(session, kind, title)
            addChangeEvent(session, kind, title)
        } else {
            updatedSessions.append(session)
            addChangeEvent(session, "named", "User details updated")
        }
    }

    /// The change by a restore: the restored session continues, and another active one ends.
    init(
        restoring restoredSession: Session?, from old: PersistedAppState,
        to new: inout PersistedAppState, app: App, at now: Date
    ) {
        self.now = now
        reason = .manual
        if let session = old.session {
            // They are retired as by a refresh, and can be sent again.
            retireTokens(session, of: old, replacedBy: new, app)
            if session.id != restoredSession?.id {
                endSession(session, &new, "Replaced by a restored state")
            }
        }
        new.session = restoredSession
        guard let restoredSession, restoredSession != old.session else { return }
        write(restoredSession, "restored", "Restored")
        addChangeEvent(restoredSession, "restored", "Restored")
    }

    /// An action that stores another access token is a new sign-in, unless the token continues the
    /// server's session, as after a second factor.
    private func isSignIn(_ before: String?, _ after: String, _ session: Session) -> Bool {
        guard case .run = reason, before != nil else { return false }
        let serverSession = Session.TokenSummary(decoding: after, at: now).serverSession
        return serverSession == nil || serverSession != session.accessToken?.serverSession
    }

    /// Archives the tokens of `session` in the state `old` that the device no longer holds; all of
    /// them without `new`.
    private mutating func retireTokens(
        _ session: Session, of old: PersistedAppState, replacedBy new: PersistedAppState?,
        _ app: App
    ) {
        let tokens: [(ArchivedToken.Kind, String, Session.TokenSummary?)] = [
            (.access, App.accessTokenName, session.accessToken),
            (.refresh, App.refreshTokenName, session.refreshToken),
        ]
        for (kind, name, summary) in tokens {
            guard let summary, let value = old.item(holding: name, in: app)?.value, !value.isEmpty,
                value != new?.item(holding: name, in: app)?.value
            else { continue }
            let token = ArchivedToken(
                kind: kind, generation: session.generation, origin: .device, summary: summary)
            retiredTokens.append(StoredToken(session: session.id, token: token, value: value))
        }
    }

    private mutating func endSession(
        _ session: Session, _ new: inout PersistedAppState, _ title: String? = nil
    ) {
        var session = session
        session.endedAt = now
        session.state = .signedOut
        var text = "Signed out"
        switch reason {
        case .sessionExpired:
            session.state = .revoked
            text = "Backend no longer accepts its tokens"
        case .manual: text = "Access token cleared manually"
        case .run, .refresh, .tokenExpiredManually: break
        }
        new.session = nil
        events.append(
            (
                .sessionEnded, session.id,
                session.state == .revoked ? "Session expired" : "Signed out",
                ["state": session.state.rawValue]
            ))
        write(session, session.state.rawValue, title ?? text)
    }

    /// The history entry of a token change; nil without one.
    private func updateDescription(_ before: Session, _ after: Session) -> (
        kind: String, title: String
    )? {
        let isNew = before.accessToken != after.accessToken
        guard isNew || before.refreshToken != after.refreshToken else { return nil }
        let tokenName = isNew ? "Access token" : "Refresh token"
        switch reason {
        case .refresh(_, let title): return ("refreshed", title)
        case .tokenExpiredManually(let title): return ("expiredManually", title)
        case .manual: return ("edited", "\(tokenName) edited manually")
        case .run, .sessionExpired: return ("refreshed", "\(tokenName) replaced")
        }
    }

    /// Writes a session with a history entry.
    private mutating func write(_ session: Session, _ kind: String, _ title: String) {
        updatedSessions.append(session)
        let entry = SessionHistoryEntry(
            at: now, kind: kind, title: title, generation: session.accessTokenGeneration,
            exchange: reason.exchange)
        historyEntries.append((session.id, entry))
    }

    private mutating func addChangeEvent(_ session: Session, _ kind: String, _ title: String) {
        let details = ["kind": kind, "generation": String(session.accessTokenGeneration)]
        events.append((.sessionChanged, session.id, title, details))
    }
}

extension Session {
    /// Sets the user's id and email address as far as known.
    fileprivate mutating func identifyUser(
        _ app: App, _ persisted: PersistedAppState, _ captured: [String: JSON]
    ) {
        let user = captured["user"]
        let claims = accessToken?.claims
        userID =
            userID ?? persisted.item(holding: "userID", in: app)?.value ?? user?["id"]?.scalarText
            ?? claims?["sub"]?.scalarText
        email =
            email ?? claims?["email"]?.string ?? user?["email"]?.string ?? persisted.item(
                holding: "email", in: app)?.value ?? captured["email"]?.string
    }
}

/// Why a stored item changes; it decides how the session is affected.
enum StorageChangeReason: Sendable {
    /// An action or the launch stored or cleared it.
    case run(exchange: String?)
    /// The app refreshed; `title` is the history entry.
    case refresh(exchange: String?, title: String)
    /// The session could not be refreshed.
    case sessionExpired(exchange: String?)
    /// The user wrote or deleted an item.
    case manual
    /// The user let the access token expire, with the reason.
    case tokenExpiredManually(reason: String)

    var exchange: String? {
        switch self {
        case .run(let exchange), .refresh(let exchange, _), .sessionExpired(let exchange): exchange
        case .manual, .tokenExpiredManually: nil
        }
    }
}
