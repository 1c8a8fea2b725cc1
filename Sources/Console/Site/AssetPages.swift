import Apps
import Surroundings
import Web

/// `/assets/…`: what is in `Public/`, and what a user's apps bring along; an
/// app without a style sheet gets the plain one.
struct AssetPages: Sendable {
    private let own: StaticFiles
    private let users: StaticFiles?
    private let services: Services

    init(services: Services, publicFolder: String, userApps: String?) {
        self.services = services
        own = StaticFiles(folder: publicFolder, now: services.world.now)
        users = userApps.map {
            StaticFiles(folder: $0, now: services.world.now)
        }
    }

    /// A folder is at most three deep.
    var routes: [Route] {
        let places = ["{one}", "{one}/{two}", "{one}/{two}/{three}"]
        return places.map { place in
            Route(.get, "/assets/\(place)", access: .open, handler: file)
        }
    }

    @Sendable private func file(_ visit: Visit) async throws -> Response {
        let path = Array(visit.target.segments.dropFirst())
        if let found = answer(path, to: visit.request) { return found }
        throw Problem(
            status: 404, code: "no-such-file", title: "There is no such file",
            detail: "Public/ has no \(path.joined(separator: "/").prefix(200)).")
    }

    /// The file at an address such as `/assets/screen.css`, with its type.
    func bytes(at address: String) -> (bytes: [UInt8], type: String)? {
        guard let path = try? Target(parsing: address).segments,
            path.first == "assets",
            let answer = answer(
                Array(path.dropFirst()),
                to: Request(method: .get, target: address, headers: [:])),
            case .bytes(let bytes) = answer.body
        else { return nil }
        return (bytes, answer.headers["Content-Type"] ?? "text/plain")
    }

    private func answer(_ path: [String], to request: Request) -> Response? {
        if let found = own.answer(path, to: request) { return found }
        // `--apps DIR` keeps an app's look beside its manifest.
        if path.first == "apps", path.count == 3,
            let found = users?.answer(
                [path[1], "public", path[2]], to: request)
        {
            return found
        }
        if path.count == 3, path[0] == "apps", path[2] == "app.css",
            services.catalogue.app(path[1]) != nil,
            let plain = own.answer(["plain.css"], to: request)
        {
            return plain
        }
        return nil
    }
}
