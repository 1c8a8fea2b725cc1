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
                "Server and device were put back together: the refresh token "
                    + "on the device is the one the server waits for. Access "
                    + "tokens handed out since have no session any more; a "
                    + "server that does not ask after sessions takes them "
                    + "until they end.")
            let strangers = try await strangers(snapshot)
            if strangers > 0 {
                words.append(
                    "\(Words.count(strangers, "session")) of other devices "
                        + "began or went on since; the server does not know "
                        + "their refresh tokens.")
            }
        }
        for app in snapshot.apps {
            let place = Place(
                workspace: snapshot.workspace, device: snapshot.device,
                app: app)
            guard try await contract(place) == nil,
                try await token(place) != nil
            else { continue }
            let name = services.catalogue.app(app)?.name ?? app
            words.append(
                "\(name) talks to another backend, which was not put back: a "
                    + "refresh token used since counts as reuse there.")
        }
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
        let standing = try await services.backend.standing(
            ofRefreshToken: token, contract: contract,
            workspace: place.workspace)
        let words =
            switch standing {
            case .current:
                "The refresh token it holds now is the one the server waits "
                    + "for."
            case .used(let newest):
                "The refresh token it holds now was used: the server is at "
                    + "generation \(newest). Using it again counts as reuse, "
                    + "and by the contract's rule may end the whole family."
            case .ended(let why):
                "The session of the refresh token it holds now ended: "
                    + "\(why)."
            case .unknown:
                "The server does not know the refresh token it holds now."
            }
        return Self.deviceOnly + " " + words
    }

    private static let deviceOnly =
        "The device alone was put back; no backend was told."

    private func token(_ place: Place) async throws -> String? {
        guard services.catalogue.app(place.app) != nil else { return nil }
        return try await services.simulator.peek(
            place, holding: "refreshToken")
    }

    /// The embedded contract an app on a device talks to now.
    private func contract(_ place: Place) async throws -> String? {
        guard services.catalogue.app(place.app) != nil else { return nil }
        let situation = try await services.simulator.situation(place)
        return services.contract(
            ofBackend: situation.backend, app: place.app)
    }

    /// How many sessions of other devices the server forgot.
    private func strangers(_ snapshot: Snapshot) async throws -> Int {
        var count = 0
        for app in services.apps {
            guard let contract = services.contract(ofApp: app.id),
                snapshot.contracts.contains(contract)
            else { continue }
            var query = SessionQuery(workspace: snapshot.workspace)
            query.app = app.id
            query.state = .active
            query.limit = 200
            count += try await services.simulator.sessions(query).items
                .filter { item in
                    let session = item.session
                    let last = session.refreshedAt ?? session.createdAt
                    return session.device != snapshot.device
                        && last > snapshot.takenAt
                }.count
        }
        return count
    }
}
