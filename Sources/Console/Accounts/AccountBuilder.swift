import Apps
import Backend
import Core
import FoundationEssentials
import Simulator
import Web

/// Builds the page of one account of the embedded backend.
struct AccountBuilder {
    let services: Services
    let account: EmbeddedBackend.AccountDetails

    private static let liveEventKinds =
        "account.changed session.began session.changed session.ended exchange.ended mail.used "
        + "snapshot.restored workspace.reset"

    func build() async throws -> Page<AccountModel> {
        let now = services.now(in: account.workspace)
        let app = services.appCatalog.app(withContract: account.contract)
        let (sessions, total) = try await services.backend.sessions(ofAccount: account.id)
        let stored = try await deviceSessions()
        let actions = availableActions
        return Page(
            account.label, navItem: "accounts", url: Links.account(account.id),
            AccountModel(
                liveEventKinds: Self.liveEventKinds,
                glyph: GlyphModel(app, id: account.contract), user: account.label,
                stateChip: account.stateChip, appName: app?.name ?? account.contract,
                toolbarActions: actions.filter { ["password", "sign-out"].contains($0.id) },
                actions: actions,
                unavailableActions: unavailableActions, details: details,
                sessionsText: sessionsText(total: total), anySessions: !sessions.isEmpty,
                sessions: sessions.map { row($0, stored, now) },
                mailURL: account.email.map(Links.mailbox(to:))))
    }

    // MARK: Actions

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
                href: Links.accountAction(account.id, action.rawValue),
                text: rule.explanation, isDestructive: action.isDestructive)
        }
    }

    private var unavailableActions: [AccountModel.UnavailableAction] {
        AdminAction.available(account).compactMap { action in
            let rule = rule(action)
            return rule.isAvailable ? nil : .init(label: action.label, text: rule.explanation)
        }
    }

    // MARK: Details

    private var details: [DetailModel] {
        func time(_ label: String, _ date: Date?) -> DetailModel {
            .init(label, date.map(Format.dateTime) ?? "Never")
        }
        var rows: [DetailModel] = [.init("Account ID", account.id, isCode: true)]
        if let email = account.email {
            rows.append(.init("Email", email))
            rows.append(time("Verified", account.emailVerifiedAt))
        }
        if let device = account.deviceID { rows.append(.init("Device", device, isCode: true)) }
        if let name = account.displayName { rows.append(.init("Name", name)) }
        rows.append(.init("Password", account.hasPassword ? "Set" : "Not set"))
        if let disabled = account.disabledAt { rows.append(time("Disabled", disabled)) }
        if account.state == .locked, let end = account.lockedUntil {
            rows.append(time("Locked until", end))
        }
        rows.append(
            .init(
                "Access token lifetime",
                account.accessTokenTTL.map { Format.duration(Double($0)) + ", this account only" }
                    ?? "Default"))
        rows.append(time("Added", account.createdAt))
        rows.append(time("Last sign-in", account.lastLoginAt))
        return rows
    }

    // MARK: Sessions

    private func sessionsText(total: Int) -> String {
        let active = Format.count(account.activeSessionCount)
        return total == 0 ? "\(active) active" : "\(active) of \(Format.count(total)) active"
    }

    /// The device sessions whose tokens belong to this account.
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
        let match = stored.first { session.matches($0) }
        let label = match.map { deviceSession in
            (services.appCatalog.app(deviceSession.app)?.name ?? deviceSession.app)
                + (deviceSession.endedAt == nil
                    ? "" : ", \(deviceSession.state.label.lowercased())")
        }
        return .init(
            id: session.id, sessionURL: match.map { Links.session($0.id) },
            device: label ?? "Other device",
            status: session.revokedAt == nil
                ? "Active" : (session.revocationReason ?? "ended").capitalizedFirst,
            tone: session.revokedAt == nil ? "ok" : "none",
            generation: session.generation == 0 ? "–" : String(session.generation),
            createdAt: session.createdAt.iso8601, createdAgo: Format.ago(session.createdAt, now))
    }
}

extension EmbeddedBackend.AccountSession {
    /// Whether a device's session is this one: its token has this session's id or, without a
    /// session id, an `auth_time` equal to this session's start.
    fileprivate func `matches`(_ session: Session) -> Bool {
        guard let claims = session.accessToken?.claims else { return false }
        if let sessionID = claims["session_id"]?.string { return sessionID == id }
        let startedAt = Int64(createdAt.timeIntervalSince1970.rounded(.down))
        return claims["auth_time"]?.numericDate == startedAt
    }
}
