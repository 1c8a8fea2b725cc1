import Apps
import Backend
import FoundationEssentials
import Simulator
import Web

/// Says what a state that was put back means for the tokens in it.
struct RestoreNote {
    let services: Services

    /// After a snapshot: both sides where the backend is the embedded one.
    func of(_ snapshot: Snapshot) async throws -> String {
        var words: [String] = []
        if snapshot.contracts.isEmpty {
            words.append(Self.deviceOnly)
        } else {
            words.append(
                "Server and device were put back together. Access tokens "
                    + "handed out since have no session any more; a server "
                    + "that does not ask after sessions takes them until they end.")
        }
        for app in snapshot.apps {
            let place = Place(workspace: snapshot.workspace, device: snapshot.device, app: app)
            guard let token = try await token(place) else { continue }
            let name = services.catalogue.app(app)?.name ?? app
            if let contract = try await contract(place) {
                words.append(
                    Self.sentence(
                        try await standing(token, contract, place),
                        of: "The refresh token \(name) holds now"))
            } else {
                words.append(
                    "\(name) talks to another backend, which was not put "
                        + "back: a refresh token used since counts as reuse there.")
            }
        }
        words += try await strangers(snapshot)
        return words.joined(separator: " ")
    }

    /// After one moment: the device alone.
    func of(_ place: Place) async throws -> String {
        guard let token = try await token(place) else {
            return Self.deviceOnly + " It holds no refresh token now."
        }
        guard let contract = try await contract(place) else {
            return Self.deviceOnly + " If the refresh token it holds now was "
                + "used since, using it again counts as reuse there."
        }
        return Self.deviceOnly + " "
            + Self.sentence(
                try await standing(token, contract, place), of: "The refresh token it holds now")
    }

    private static func sentence(_ standing: EmbeddedBackend.RefreshStanding, of token: String)
        -> String
    {
        switch standing {
        case .current: "\(token) is the one the server waits for."
        case .used(let newest):
            "\(token) was used: the server is at generation \(newest). Using "
                + "it again counts as reuse, and by the contract's rule may "
                + "end the whole family."
        case .ended(let why): "\(token) is of a session that ended: \(why)."
        case .unknown: "\(token) is none the server knows."
        }
    }

    private func standing(_ token: String, _ contract: String, _ place: Place) async throws
        -> EmbeddedBackend.RefreshStanding
    {
        try await services.backend.standing(
            ofRefreshToken: token, contract: contract, workspace: place.workspace)
    }

    private static let deviceOnly = "The device alone was put back; no backend was told."

    private func token(_ place: Place) async throws -> String? {
        guard services.catalogue.app(place.app) != nil else { return nil }
        return try await services.simulator.peek(place, holding: "refreshToken")
    }

    /// The embedded contract an app on a device talks to now.
    private func contract(_ place: Place) async throws -> String? {
        guard services.catalogue.app(place.app) != nil else { return nil }
        let situation = try await services.simulator.situation(place)
        return services.contract(ofBackend: situation.backend, app: place.app)
    }

    /// What the server that was put back says of the refresh tokens on other
    /// devices, where it does not wait for them.
    private func strangers(_ snapshot: Snapshot) async throws -> [String] {
        var forgotten = 0
        var used = 0
        let (sessions, areAll) = try await others(snapshot)
        for session in sessions {
            guard let contract = services.contract(ofBackend: session.backend, app: session.app),
                snapshot.contracts.contains(contract), let token = try await token(session.place)
            else { continue }
            switch try await standing(token, contract, session.place) {
            case .unknown: forgotten += 1
            case .used: used += 1
            case .current, .ended: break
            }
        }
        var words: [String] = []
        func say(_ what: String, _ count: Int) {
            guard count > 0 else { return }
            words.append(
                "The server \(what) of \(Words.count(count, "session")) of other devices.")
        }
        say("does not know the refresh token", forgotten)
        say("takes for used the refresh token", used)
        if !areAll {
            words.append(
                "Of the other devices' sessions the newest "
                    + "\(Words.count(Self.asked)) were looked at.")
        }
        return words
    }

    /// Of so many other sessions of an app and a state the server is asked.
    private static let asked = 500

    /// The sessions of other devices that go on, of apps whose server was put
    /// back.
    private func others(_ snapshot: Snapshot) async throws -> ([Session], areAll: Bool) {
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
                query.limit = Self.asked
                let page = try await services.simulator.sessions(query)
                found += page.items.map(\.session)
                areAll = areAll && !page.hasOlder
            }
        }
        return (found.filter { $0.device != snapshot.device }, areAll)
    }
}
