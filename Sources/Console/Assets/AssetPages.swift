import Apps
import Core
import DesignTokens
import FoundationEssentials
import Web

/// `/assets/…`: the files of `Public/` and of user apps; an app without a style sheet gets the
/// plain one. `/clients/…`: the API's clients, for tests.
///
/// Below `apps`, for every app, only style sheets, images and fonts are served: an app is data, and
/// a script at the console's origin would run with the console's privileges.
struct AssetPages: Sendable {
    private let consoleFiles: StaticFiles
    private let userFiles: StaticFiles?
    private let services: Services

    init(services: Services, publicFolder: String, userApps: String?) {
        self.services = services
        consoleFiles = StaticFiles(
            folder: publicFolder,
            generated: ["device-sizes.css": Array(DeviceSizes.styleSheet.utf8)],
            now: services.world.now)
        userFiles = userApps.map { StaticFiles(folder: $0, now: services.world.now) }
    }

    /// Folders are at most three levels deep.
    var routes: [Route] {
        let patterns = ["{one}", "{one}/{two}", "{one}/{two}/{three}"]
        return patterns.map { pattern in
            Route(.get, "/assets/\(pattern)", access: .open, handler: file)
        } + [Route(.get, "/clients/{one}", access: .open, handler: file)]
    }

    @Sendable private func file(_ context: RequestContext) async throws -> Response {
        let segments = context.target.segments
        let path = Array(segments.dropFirst(segments.first == "assets" ? 1 : 0))
        if var found = response(path, to: context.request) {
            // Every replaced part of a page loads its icons again.
            if path == ["icons.svg"] { found.headers["Cache-Control"] = "max-age=60" }
            return found
        }
        let name = path.joined(separator: "/").prefix(200)
        throw Problem(
            status: 404, code: "no-such-file", title: "File not found",
            detail: Self.isForbidden(path)
                ? "\(name) is not a style sheet, image or font; other app files are not served."
                : "Public/ has no \(name), or it is not a regular file of up to "
                    + "\(StaticFiles.sizeLimit >> 20) MiB.")
    }

    /// The paths of the console's own scripts.
    static func scripts(in publicFolder: String, log: Log) -> [String] {
        do {
            let names = try FileManager.default.subpathsOfDirectory(atPath: publicFolder)
            return names.filter { $0.hasSuffix(".js") && !$0.hasPrefix("apps/") }.map {
                "/assets/" + $0
            }.sorted()
        } catch {
            log("\(publicFolder) cannot be listed; pages run without scripts")
            return []
        }
    }

    /// Whether the path is never served, even if the file exists.
    private static func isForbidden(_ path: [String]) -> Bool {
        path.first == "apps" && !StaticFiles.isStyleAsset(path.last ?? "")
    }

    /// The file at a path such as `/assets/screen.css`, with its type.
    func bytes(at address: String) -> (bytes: [UInt8], type: String)? {
        guard let path = try? RequestTarget(parsing: address).segments, path.first == "assets",
            let file = response(
                Array(path.dropFirst()), to: Request(method: .get, target: address, headers: [:])),
            case .bytes(let bytes) = file.body
        else { return nil }
        return (bytes, file.headers["Content-Type"] ?? "text/plain")
    }

    private func response(_ path: [String], to request: Request) -> Response? {
        if path == ["console.css"], let sheet = consoleStyleSheet(to: request) { return sheet }
        guard path.first == "apps" else { return consoleFiles.response(path, to: request) }
        guard !Self.isForbidden(path), var response = appFile(path, to: request) else { return nil }
        response.headers["Content-Security-Policy"] = ContentSecurityPolicy.appFile
        // Browsers refuse to open a page that has both a CSP sandbox and another opener policy
        // (HTML Standard, 7.5.1.2).
        response.headers["Cross-Origin-Opener-Policy"] = "unsafe-none"
        return response
    }

    /// The files `console.css` imports, joined into one, so that a page makes one request.
    private func consoleStyleSheet(to request: Request) -> Response? {
        let address = "/assets/console.css"
        guard
            case .bytes(let list)? = consoleFiles.response(
                ["console.css"], to: Request(method: .get, target: address, headers: [:]))?.body,
            let imports = try? StyleSheet(list).imports
        else { return nil }
        let paths = imports.compactMap { try? RequestTarget(parsing: $0).segments.dropFirst() }
        return consoleFiles.joinedResponse(paths.map(Array.init), to: request)
    }

    private func appFile(_ path: [String], to request: Request) -> Response? {
        if let found = consoleFiles.response(path, to: request) { return found }
        guard path.count == 3 else { return nil }
        // `--apps DIR` has an app's style sheets next to its manifest.
        if let found = userFiles?.response([path[1], "public", path[2]], to: request) {
            return found
        }
        guard path[2] == "app.css", services.appCatalog.app(path[1]) != nil else { return nil }
        return consoleFiles.response(["plain.css"], to: request)
    }
}
