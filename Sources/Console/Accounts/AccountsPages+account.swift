import Apps
import Backend
import Core
import FoundationEssentials
import Simulator
import Templates
import Web

/// The page of one account of the embedded backend (`accounts/account`).
extension AccountsPages {
    @Sendable func show(_ context: RequestContext) async throws -> Response {
        let account = try await services.account(of: context)
        let page = Page(
            title: account.label, navItem: "accounts", url: Links.account(account.id),
            model: try await model(of: account))
        return try await services.respond(
            to: context, page, "accounts/account",
            parts: [
                "state": "accounts/state", "actions": "accounts/actions",
                "sessions": "accounts/sessions", "details": "accounts/details",
                "identities": "accounts/identities",
            ])
    }

    private func model(of account: Account) async throws -> TemplateModel {
        let now = services.now(in: account.workspace)
        let app = services.appCatalog.app(withContract: account.contract)
        let (sessions, total) = try await services.backend.sessions(ofAccount: account.id)
        let stored = try await deviceSessions(of: account)
        let actions = AdminAction.applicable(to: account)
        let available = actions.filter { availability(of: $0, account).isAvailable }
        let toolbarActions = available.filter { [.setPassword, .signOut].contains($0) }
        let activeText = Format.count(account.activeSessionCount)
        return [
            "glyph": GlyphModel(app, id: account.contract), "user": account.label,
            "stateChip": account.stateChip,
            "backendURL": Links.backend(account.contract), "appName": app?.name ?? account.contract,
            "toolbarActions": toolbarActions.map { model(of: $0, account) },
            // Those that the contract does not support last.
            "actions": (available + actions.filter { !available.contains($0) }).map {
                model(of: $0, account)
            }, "details": Self.details(of: account),
            "sessionsText": total == 0
                ? "\(activeText) active" : "\(activeText) of \(Format.count(total)) active",
            "sessions": sessions.map { row($0, stored, now) },
            "mailURL": account.email.map(Links.mailbox(to:)),
            "phoneURL": account.phone.map(Links.mailbox(to:)),
            "identities": account.identities.map { model(of: $0, account, now) },
            "factors": account.factors.map { model(of: $0, account, now) },
            "metadata": account.metadata.map { model(of: $0, account) },
        ]
    }

    /// `text` is the action's consequences, or why the contract does not support it.
    private func model(of action: AdminAction, _ account: Account) -> TemplateModel {
        let availability = availability(of: action, account)
        return [
            "id": action.rawValue, "label": action.label,
            "href": availability.isAvailable
                ? Links.accountAction(account.id, action.rawValue) : nil,
            "text": availability.explanation, "isDestructive": action.isDestructive,
        ]
    }

    private static func details(of account: Account) -> [DetailModel] {
        func time(_ label: String, _ date: Date?) -> DetailModel {
            DetailModel(label, date.map(Format.dateTime) ?? "Never")
        }
        let lifetime = account.accessTokenTTL.map {
            Format.duration(Double($0)) + ", this account only"
        }
        let details: [DetailModel?] = [
            DetailModel("Account ID", account.id, isCode: true),
            account.email.map { DetailModel("Email", $0) },
            account.email.map { _ in time("Verified", account.emailVerifiedAt) },
            account.phone.map { DetailModel("Phone", $0) },
            account.phone.map { _ in time("Phone verified", account.phoneVerifiedAt) },
            account.deviceID.map { DetailModel("Device", $0, isCode: true) },
            account.displayName.map { DetailModel("Name", $0) },
            DetailModel("Password", account.hasPassword ? "Set" : "Not set"),
            account.disabledAt.map { time("Disabled", $0) },
            account.state == .locked ? account.lockedUntil.map { time("Locked until", $0) } : nil,
            DetailModel("Access token lifetime", lifetime ?? "Default"),
            time("Added", account.createdAt), time("Last sign-in", account.lastLoginAt),
        ]
        return details.compactMap(\.self)
    }

    // MARK: Sessions

    /// The device sessions whose tokens belong to the account.
    private func deviceSessions(of account: Account) async throws -> [Session] {
        var query = SessionQuery(workspace: account.workspace)
        query.text = account.id
        query.keyset.limit = 200
        return try await services.simulator.sessions(query).page.items.filter {
            $0.userID == account.id || $0.accessToken?.claims?["sub"]?.string == account.id
        }
    }

    private func row(_ session: BackendSession, _ stored: [Session], _ now: Date) -> TemplateModel {
        let match = stored.first { session.matches($0) }
        let label = match.map { deviceSession in
            (services.appCatalog.app(deviceSession.app)?.name ?? deviceSession.app)
                + (deviceSession.endedAt == nil
                    ? "" : ", \(deviceSession.state.label.lowercased())")
        }
        return [
            "id": session.id, "sessionURL": match.map { Links.session($0.id) },
            "device": label ?? "Other device",
            "status": session.revokedAt == nil
                ? "Active" : (session.revocationReason ?? "ended").capitalizedFirst,
            "tone": session.revokedAt == nil ? "ok" : "none",
            "generation": session.generation == 0 ? "–" : String(session.generation),
            "createdAt": session.createdAt.date.iso8601,
            "createdAgo": Format.ago(session.createdAt.date, now),
        ]
    }
}

extension BackendSession {
    /// Whether a device's session is this one: its token has this session's id or, without a
    /// session id, an `auth_time` equal to this session's start.
    fileprivate func `matches`(_ session: Session) -> Bool {
        guard let claims = session.accessToken?.claims else { return false }
        if let sessionID = claims["session_id"]?.string { return sessionID == id }
        return claims["auth_time"]?.numericDate == createdAt.seconds
    }
}
