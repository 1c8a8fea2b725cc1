import Apps
import Backend
import FoundationEssentials
import Simulator
import Web

/// Says what a state that was put back means for the tokens in it.
struct RestoreNote {
    let services: Services

    /// After a snapshot: both sides where the backend is the embedded one.
    func text(_ snapshot: Snapshot) async throws -> String {
        var words: [String] = []
        if snapshot.contracts.isEmpty {
            words.append(Self.deviceOnlyText)
        } else {
            words.append(
                "Server and device were put back together. Access tokens "
                    + "handed out since have no session any more; a server "
                    + "that does not ask after sessions takes them until they end.")
        }
        for app in snapshot.apps {
            let instance = AppInstance(
                workspace: snapshot.workspace, device: snapshot.device, app: app)
            guard let token = try await refreshToken(instance) else { continue }
            let name = services.appCatalog.app(app)?.name ?? app
            if let contract = try await contract(instance) {
                words.append(
                    Self.refreshSentence(
                        try await refreshStatus(token, contract, instance),
                        of: "The refresh token \(name) holds now"))
            } else {
                words.append(
                    "\(name) talks to another backend, which was not put "
                        + "back: a refresh token used since counts as reuse there.")
            }
        }
        words += try await otherDevicesNotes(snapshot)
        return words.joined(separator: " ")
    }

    /// After one moment: the device alone.
    func text(_ instance: AppInstance) async throws -> String {
        guard let token = try await refreshToken(instance) else {
            return Self.deviceOnlyText + " It holds no refresh token now."
        }
        guard let contract = try await contract(instance) else {
            return Self.deviceOnlyText + " If the refresh token it holds now was "
                + "used since, using it again counts as reuse there."
        }
        return Self.deviceOnlyText + " "
            + Self.refreshSentence(
                try await refreshStatus(token, contract, instance),
                of: "The refresh token it holds now")
    }

    private static func refreshSentence(
        _ standing: EmbeddedBackend.RefreshTokenStatus, of token: String
    )
        -> String
    {
        switch standing {
        case .current: "\(token) is the one the server waits for."
        case .used(let newest):
            "\(token) was used: the server is at generation \(newest). Using "
                + "it again counts as reuse, and by the contract's rule may "
                + "end the whole family."
        case .sessionEnded(let reason): "\(token) is of a session that ended: \(reason)."
        case .unknown: "\(token) is none the server knows."
        }
    }

    private func refreshStatus(_ token: String, _ contract: String, _ instance: AppInstance)
        async throws
        -> EmbeddedBackend.RefreshTokenStatus
    {
        try await services.backend.status(
            ofRefreshToken: token, contract: contract, workspace: instance.workspace)
    }

    private static let deviceOnlyText = "The device alone was put back; no backend was told."

    private func refreshToken(_ instance: AppInstance) async throws -> String? {
        guard services.appCatalog.app(instance.app) != nil else { return nil }
        return try await services.simulator.storedValue(instance, holding: "refreshToken")
    }

    /// The embedded contract an app on a device talks to now.
    private func contract(_ instance: AppInstance) async throws -> String? {
        guard services.appCatalog.app(instance.app) != nil else { return nil }
        let status = try await services.simulator.status(instance)
        return services.contract(ofBackend: status.backend, app: instance.app)
    }

    /// What the server that was put back says of the refresh tokens on other
    /// devices, where it does not wait for them.
    private func otherDevicesNotes(_ snapshot: Snapshot) async throws -> [String] {
        var forgotten = 0
        var used = 0
        let (sessions, areAll) = try await otherSessions(snapshot)
        for session in sessions {
            guard let contract = services.contract(ofBackend: session.backend, app: session.app),
                snapshot.contracts.contains(contract),
                let token = try await refreshToken(session.instance)
            else { continue }
            switch try await refreshStatus(token, contract, session.instance) {
            case .unknown: forgotten += 1
            case .used: used += 1
            case .current, .sessionEnded: break
            }
        }
        var words: [String] = []
        func say(_ what: String, _ count: Int) {
            guard count > 0 else { return }
            words.append(
                "The server \(what) of \(Format.count(count, "session")) of other devices.")
        }
        say("does not know the refresh token", forgotten)
        say("takes for used the refresh token", used)
        if !areAll {
            words.append(
                "Of the other devices' sessions the newest "
                    + "\(Format.count(Self.sessionLimit)) were looked at.")
        }
        return words
    }

    /// Of so many other sessions of an app and a state the server is asked.
    private static let sessionLimit = 500

    /// The sessions of other devices that go on, of apps whose server was put
    /// back.
    private func otherSessions(_ snapshot: Snapshot) async throws -> ([Session], areAll: Bool) {
        var found: [Session] = []
        var areAll = true
        for app in services.apps {
            let contracts = app.backends.compactMap {
                services.contract(ofBackend: $0.id, app: app.id)
            }
            guard contracts.contains(where: snapshot.contracts.contains) else { continue }
            for state in [Session.State.active, .expired] {
                var query = SessionQuery(workspace: snapshot.workspace)
                query.app = app.id
                query.state = state
                query.limit = Self.sessionLimit
                let page = try await services.simulator.sessions(query)
                found += page.items.map(\.session)
                areAll = areAll && !page.hasOlder
            }
        }
        return (found.filter { $0.device != snapshot.device }, areAll)
    }
}
