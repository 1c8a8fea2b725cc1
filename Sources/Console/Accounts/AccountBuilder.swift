import Apps
import Backend
import Core
import FoundationEssentials
import Simulator
import Web

/// Gathers what is known of one account of the embedded backend.
struct AccountBuilder {
    let services: Services
    let frames: FrameBuilder
    let account: EmbeddedBackend.AccountDetails
    let csrf: String

    private static let liveEventKinds =
        "account.changed session.began session.changed session.ended exchange.ended mail.used "
        + "snapshot.restored workspace.reset"

    func build() async throws -> AccountModel {
        let now = services.now(in: account.workspace)
        let partURL = Links.partURL(Links.account(account.id), [])
        let app = services.app(withContract: account.contract)
        let (sessions, total) = try await services.backend.sessions(ofAccount: account.id)
        let stored = try await deviceSessions()
        let acts = availableActions
        return AccountModel(
            frame: try await frames.frame(
                account.label, navItem: "accounts", workspace: account.workspace, csrfToken: csrf,
                partURL: partURL), partURL: partURL, liveEventKinds: Self.liveEventKinds,
            glyph: app.map(GlyphModel.init) ?? .unknown(account.contract), user: account.label,
            stateChip: account.stateChip, appName: app?.name ?? account.contract,
            toolbarActions: acts.filter { ["password", "sign-out"].contains($0.id) }, actions: acts,
            anyUnavailableActions: !unavailableActions.isEmpty,
            unavailableActions: unavailableActions, details: details,
            sessionsText:
                "\(Format.count(account.activeSessionCount)) of \(Format.count(total)) last",
            anySessions: !sessions.isEmpty, sessions: sessions.map { row($0, stored, now) },
            mailURL: account.email.map(Links.mailbox(to:)))
    }

    // MARK: What can be done

    private func rule(_ action: AdminAction) -> AdminAction.Availability {
        services.backend.availability(
            action, contract: account.contract, isDevice: account.deviceID != nil)
    }

    private var availableActions: [AccountModel.Action] {
        AdminAction.available(account).compactMap { action in
            let rule = rule(action)
            guard rule.isAvailable else { return nil }
            return .init(
                id: action.rawValue, label: action.label,
                href: Links.account(account.id, action.rawValue),
                text: rule.explanation, isDestructive: action.isDestructive)
        }
    }

    private var unavailableActions: [AccountModel.UnavailableAction] {
        AdminAction.available(account).compactMap { action in
            let rule = rule(action)
            return rule.isAvailable ? nil : .init(label: action.label, text: rule.explanation)
        }
    }

    // MARK: Facts

    private var details: [DetailModel] {
        func time(_ fact: String, _ date: Date?) -> DetailModel {
            .init(fact, date.map(Format.dateTime) ?? "never")
        }
        var facts: [DetailModel] = [.init("account", account.id, isCode: true)]
        if let email = account.email {
            facts.append(.init("e-mail", email))
            facts.append(time("verified", account.emailVerifiedAt))
        }
        if let device = account.deviceID { facts.append(.init("device", device, isCode: true)) }
        if let name = account.displayName { facts.append(.init("name", name)) }
        facts.append(.init("password", account.hasPassword ? "set" : "none"))
        if let disabled = account.disabledAt { facts.append(time("disabled", disabled)) }
        if account.state == .locked, let end = account.lockedUntil {
            facts.append(time("locked until", end))
        }
        facts.append(
            .init(
                "access tokens live",
                account.accessTokenTTL.map {
                    Format.duration(Double($0)) + ", for this account alone"
                }
                    ?? "as the contract has it"))
        facts.append(time("added", account.createdAt))
        facts.append(time("signed in", account.lastLoginAt))
        return facts
    }

    // MARK: Sessions

    /// The sessions of devices whose tokens speak for this account.
    private func deviceSessions() async throws -> [Session] {
        var query = SessionQuery(workspace: account.workspace)
        query.text = account.id
        query.limit = 200
        return try await services.simulator.sessions(query).items.map(\.session).filter {
            $0.userID == account.id || $0.accessToken?.claims?["sub"]?.string == account.id
        }
    }

    private func row(_ session: EmbeddedBackend.AccountSession, _ stored: [Session], _ now: Date)
        -> AccountModel.Session
    {
        let device = stored.first { session.matches($0) }
        let label = device.map { known in
            (services.appCatalog.app(known.app)?.name ?? known.app)
                + (known.endedAt == nil ? "" : ", \(known.state.label)")
        }
        return .init(
            id: session.id, sessionURL: device.map { Links.session($0.id) },
            device: label ?? "not on a device here",
            status: session.revokedAt == nil ? "lasts" : session.revocationReason ?? "ended",
            tone: session.revokedAt == nil ? "ok" : "none",
            generation: session.generation == 0 ? "–" : String(session.generation),
            createdAt: session.createdAt.iso8601, createdAgo: Format.ago(session.createdAt, now))
    }
}

extension EmbeddedBackend.AccountSession {
    /// Whether a device's session is this one: its token names it, or began
    /// with it where tokens name none.
    fileprivate func `matches`(_ session: Session) -> Bool {
        guard let claims = session.accessToken?.claims else { return false }
        if let named = claims["session_id"]?.string { return named == id }
        let began = Int64(createdAt.timeIntervalSince1970.rounded(.down))
        return claims["auth_time"]?.numericDate == began
    }
}
