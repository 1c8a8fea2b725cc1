import Apps
import Backend
import FoundationEssentials
import Simulator
import Surroundings
import Web

/// Gathers what is known of one account of the embedded backend.
struct AccountBuilder {
    let services: Services
    let frames: FrameBuilder
    let account: EmbeddedBackend.KnownAccount
    let csrf: String

    private static let kinds =
        "account.changed session.began session.changed session.ended exchange.ended mail.used "
        + "snapshot.restored workspace.reset"

    func build() async throws -> AccountModel {
        let now = services.now(in: account.workspace)
        let partURL = Links.part(Links.account(account.id), [])
        let app = services.app(speaking: account.contract)
        let (sessions, total) = try await services.backend.sessions(ofAccount: account.id)
        let stored = try await devicesSessions()
        let acts = offered
        return AccountModel(
            frame: try await frames.frame(
                account.who, place: "accounts", workspace: account.workspace, csrf: csrf,
                partURL: partURL), partURL: partURL, pageKinds: Self.kinds,
            glyph: app.map(GlyphModel.init) ?? .unknown(account.contract), user: account.who,
            stateChip: account.stateChip, appName: app?.name ?? account.contract,
            barActs: acts.filter { ["password", "sign-out"].contains($0.act) }, acts: acts,
            anyMissing: !missing.isEmpty, missing: missing, facts: facts,
            sessionsText: "\(Words.count(account.sessions)) of \(Words.count(total)) last",
            anySessions: !sessions.isEmpty, sessions: sessions.map { row($0, stored, now) },
            mailURL: account.email.map(Links.mailbox(to:)))
    }

    // MARK: What can be done

    private func rule(_ act: AccountAct) -> AccountAct.Rule {
        services.backend.rule(act, contract: account.contract, isDevice: account.deviceID != nil)
    }

    private var offered: [AccountModel.Act] {
        AccountAct.offered(account).compactMap { act in
            let rule = rule(act)
            guard rule.isPossible else { return nil }
            return .init(
                act: act.rawValue, label: act.label, href: Links.account(account.id, act.rawValue),
                text: rule.text, destroys: act.destroys)
        }
    }

    private var missing: [AccountModel.Missing] {
        AccountAct.offered(account).compactMap { act in
            let rule = rule(act)
            return rule.isPossible ? nil : .init(label: act.label, text: rule.text)
        }
    }

    // MARK: Facts

    private var facts: [FactModel] {
        func time(_ fact: String, _ date: Date?) -> FactModel {
            .init(fact, date.map(Words.moment) ?? "never")
        }
        var facts: [FactModel] = [.init("account", account.id, code: true)]
        if let email = account.email {
            facts.append(.init("e-mail", email))
            facts.append(time("verified", account.emailVerifiedAt))
        }
        if let device = account.deviceID { facts.append(.init("device", device, code: true)) }
        if let name = account.displayName { facts.append(.init("name", name)) }
        facts.append(.init("password", account.hasPassword ? "set" : "none"))
        if let disabled = account.disabledAt { facts.append(time("disabled", disabled)) }
        if account.state == .locked, let end = account.lockedUntil {
            facts.append(time("locked until", end))
        }
        facts.append(
            .init(
                "access tokens live",
                account.accessTokenTTL.map { Words.span(Double($0)) + ", for this account alone" }
                    ?? "as the contract has it"))
        facts.append(time("added", account.createdAt))
        facts.append(time("signed in", account.lastLoginAt))
        return facts
    }

    // MARK: Sessions

    /// The sessions of devices whose tokens speak for this account.
    private func devicesSessions() async throws -> [Session] {
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
        let device = stored.first { session.is($0) }
        let label = device.map { known in
            (services.catalogue.app(known.app)?.name ?? known.app)
                + (known.endedAt == nil ? "" : ", \(known.state.words)")
        }
        return .init(
            id: session.id, sessionURL: device.map { Links.session($0.id) },
            device: label ?? "not on a device here",
            standing: session.revokedAt == nil ? "lasts" : session.revokedBecause ?? "ended",
            tone: session.revokedAt == nil ? "ok" : "none",
            generation: session.generation == 0 ? "–" : String(session.generation),
            beganAt: session.createdAt.iso8601, began: Words.ago(session.createdAt, now))
    }
}

extension EmbeddedBackend.AccountSession {
    /// Whether a device's session is this one: its token names it, or began
    /// with it where tokens name none.
    fileprivate func `is`(_ session: Session) -> Bool {
        guard let claims = session.accessToken?.claims else { return false }
        if let named = claims["session_id"]?.string { return named == id }
        let began = Int64(createdAt.timeIntervalSince1970.rounded(.down))
        return claims["auth_time"]?.numericDate == began
    }
}
