import Apps
import Backend
import Core
import FoundationEssentials
package import Simulator
import Web

/// Explains what a restored state means for the tokens in it.
extension Snapshots {
    /// After a snapshot: covers both parts where the app uses the embedded backend.
    package func note(afterRestoring snapshot: Snapshot) async throws -> String {
        var sentences: [String] = []
        if snapshot.contracts.isEmpty {
            sentences.append(Self.deviceOnlyText)
        } else {
            sentences.append(
                "Server and device were restored together. Access tokens issued since have no "
                    + "session; a server that does not check sessions accepts them until they "
                    + "expire.")
        }
        for app in snapshot.apps {
            let instance = AppInstance(
                workspace: snapshot.workspace, device: snapshot.device, app: app)
            guard let token = try await refreshToken(instance) else { continue }
            let name = catalog.app(app)?.name ?? app
            if let contract = try await contract(instance) {
                sentences.append(
                    Self.refreshSentence(
                        try await refreshStatus(token, contract, instance),
                        of: "\(name)'s refresh token"))
            } else {
                sentences.append(
                    "\(name) uses another backend, which was not restored: a refresh token used "
                        + "since counts as reuse there.")
            }
        }
        sentences += try await otherDevicesNotes(snapshot)
        return sentences.joined(separator: " ")
    }

    /// After restoring an event: covers the device alone.
    func note(afterRestoring instance: AppInstance) async throws -> String {
        guard let token = try await refreshToken(instance) else {
            return Self.deviceOnlyText + " It has no refresh token."
        }
        guard let contract = try await contract(instance) else {
            return Self.deviceOnlyText + " If its refresh token was used since, using it again "
                + "counts as reuse."
        }
        return Self.deviceOnlyText + " "
            + Self.refreshSentence(
                try await refreshStatus(token, contract, instance), of: "Its refresh token")
    }

    private static func refreshSentence(
        _ status: EmbeddedBackend.RefreshTokenStatus, of token: String
    ) -> String {
        switch status {
        case .current: "\(token) is current on the server."
        case .used(let newest):
            "\(token) was already used: the server is at generation \(newest). Using it again "
                + "counts as reuse and, depending on the contract, revokes the token family."
        case .sessionEnded(let reason): "\(token) belongs to a session that ended: \(reason)."
        case .unknown: "\(token) is unknown to the server."
        }
    }

    private func refreshStatus(_ token: String, _ contract: String, _ instance: AppInstance)
        async throws -> EmbeddedBackend.RefreshTokenStatus
    {
        try await backend.status(
            ofRefreshToken: token, contract: contract, workspace: instance.workspace)
    }

    private static let deviceOnlyText = "Only the device was restored, no backend."

    private func refreshToken(_ instance: AppInstance) async throws -> String? {
        guard catalog.app(instance.app) != nil else { return nil }
        return try await simulator.storedValue(instance, holding: "refreshToken")
    }

    /// The embedded contract an app on a device uses now.
    private func contract(_ instance: AppInstance) async throws -> String? {
        guard catalog.app(instance.app) != nil else { return nil }
        let status = try await simulator.status(instance)
        return catalog.contract(ofBackend: status.backend, app: instance.app)
    }

    /// Counts refresh tokens on other devices that the restored backend no longer accepts.
    private func otherDevicesNotes(_ snapshot: Snapshot) async throws -> [String] {
        var unknownCount = 0
        var usedCount = 0
        let (sessions, areAll) = try await otherSessions(snapshot)
        for session in sessions {
            guard let contract = catalog.contract(ofBackend: session.backend, app: session.app),
                snapshot.contracts.contains(contract),
                let token = try await refreshToken(session.instance)
            else { continue }
            switch try await refreshStatus(token, contract, session.instance) {
            case .unknown: unknownCount += 1
            case .used: usedCount += 1
            case .current, .sessionEnded: break
            }
        }
        var sentences: [String] = []
        func addSentence(_ clause: String, _ count: Int) {
            guard count > 0 else { return }
            sentences.append(
                "\(Format.count(count, "session")) on other devices: refresh token \(clause).")
        }
        addSentence("unknown to the server", unknownCount)
        addSentence("already used", usedCount)
        if !areAll {
            sentences.append(
                "Only the newest \(Format.count(Self.sessionLimit)) sessions of other devices were "
                    + "checked.")
        }
        return sentences
    }

    /// The most other sessions checked per app and state.
    private static let sessionLimit = 500

    /// Sessions of other devices that are not signed out, of apps whose backend was restored.
    private func otherSessions(_ snapshot: Snapshot) async throws -> ([Session], areAll: Bool) {
        var sessions: [Session] = []
        var ids: Set<String> = []
        var areAll = true
        for app in catalog.apps {
            let contracts = app.backends.compactMap {
                catalog.contract(ofBackend: $0.id, app: app.id)
            }
            guard contracts.contains(where: snapshot.contracts.contains) else { continue }
            // A comparison may find, before or between these queries, that the restored server does
            // not know a session, and make it revoked.
            for state in [Session.State.active, .expired, .revoked] {
                var query = SessionQuery(workspace: snapshot.workspace)
                query.app = app.id
                query.state = state
                query.keyset.limit = Self.sessionLimit
                let page = try await simulator.sessions(query).page
                sessions += page.items.filter { ids.insert($0.id).inserted }
                areAll = areAll && !page.hasOlder
            }
        }
        return (sessions.filter { $0.device != snapshot.device }, areAll)
    }
}
