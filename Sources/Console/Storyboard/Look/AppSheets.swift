import FoundationEssentials
import Web

/// The style sheets a screen of an app wears, in the order a browser lays
/// them over one another: what all screens share, what `app.css` imports,
/// `app.css`.
///
/// They lie where `AssetPages` serves them from: `Public/`, and for an app of
/// the user's `DIR/<id>/public/`.
struct AppSheets: Sendable {
    let app: String
    var sheets: [Sheet] = []
    /// Sheets that cannot be read, and why: `line 3: a comment …`.
    var broken: [(file: String, why: String)] = []

    struct Sheet: Sendable {
        /// As a person names it: `Public/apps/atlas/app.css`.
        var name: String
        /// Where it lies.
        var path: String
        /// Whether it lies in the app's own folder: others wear it too if not.
        var isOwn: Bool
        var sheet: StyleSheet

        /// `app.css`.
        var file: String {
            name.split(separator: "/").last.map(String.init) ?? name
        }
    }

    /// The two folders styles lie in.
    struct Folders: Sendable {
        let publicFolder: String
        let userApps: String?
    }

    /// A sheet is a few pages; what is larger is something else.
    private static let largest = 1 << 20
    /// The sheet every screen wears, and the one of an app without its own.
    private static let shared = "/assets/screen.css"
    private static let plain = "/assets/plain.css"

    private let folders: Folders

    init(app: String, folders: Folders) {
        self.app = app
        self.folders = folders
        var seen: Set<String> = []
        add(Self.shared, &seen)
        let main = Links.appAsset(app, "app.css")
        for name in ownNames where name != "app.css" {
            // What app.css imports comes in its own turn.
            let address = Links.appAsset(app, name)
            if !imported.contains(address) { add(address, &seen) }
        }
        add(file(at: main) == nil ? Self.plain : main, &seen)
    }

    /// The app's own sheet, which everything may be said in.
    var main: Sheet? {
        sheets.first { $0.isOwn && $0.name.hasSuffix("/app.css") }
    }

    /// Changes when one of the app's own files does.
    var digest: String {
        StyleSheet.digest(sheets.filter(\.isOwn).map(\.sheet.bytes))
    }

    // MARK: Reading

    /// The names of the style sheets in the app's own folder.
    private var ownNames: [String] {
        let places = [
            "\(folders.publicFolder)/apps/\(app)",
            folders.userApps.map { "\($0)/\(app)/public" },
        ]
        let names = places.compactMap(\.self).flatMap {
            (try? FileManager.default.contentsOfDirectory(atPath: $0)) ?? []
        }
        return Set(names.filter { $0.hasSuffix(".css") && !$0.hasPrefix(".") })
            .sorted()
    }

    /// Everything `app.css` imports, directly or not.
    private var imported: Set<String> {
        var found: Set<String> = []
        var next = [Links.appAsset(app, "app.css")]
        while let address = next.popLast() {
            guard let file = file(at: address), let bytes = read(file.path),
                let sheet = try? StyleSheet(bytes)
            else { continue }
            next += sheet.imports.filter { found.insert($0).inserted }
        }
        return found
    }

    private mutating func add(_ address: String, _ seen: inout Set<String>) {
        guard seen.insert(address).inserted, let file = file(at: address),
            let bytes = read(file.path)
        else { return }
        do throws(StyleSheet.Failure) {
            let sheet = try StyleSheet(bytes)
            for address in sheet.imports { add(address, &seen) }
            sheets.append(
                Sheet(
                    name: file.name, path: file.path,
                    isOwn: address.hasPrefix(Links.appAsset(app, "")),
                    sheet: sheet))
        } catch {
            broken.append(
                (file.name, "line \(error.line): \(error.detail)"))
        }
    }

    /// What `AssetPages` would answer with at `address`.
    private func file(at address: String) -> (name: String, path: String)? {
        let path = address.split(separator: "/").map(String.init)
        guard path.first == "assets", path.count <= 4,
            !path.contains(where: { $0.hasPrefix(".") })
        else { return nil }
        let below = path.dropFirst().joined(separator: "/")
        let own = "\(folders.publicFolder)/\(below)"
        if FileFacts(at: own)?.kind == .file { return ("Public/" + below, own) }
        guard path.count == 4, path[1] == "apps", let users = folders.userApps
        else { return nil }
        let user = "\(users)/\(path[2])/public/\(path[3])"
        return FileFacts(at: user)?.kind == .file ? (user, user) : nil
    }

    private func read(_ path: String) -> [UInt8]? {
        guard let facts = FileFacts(at: path), facts.size <= Self.largest else {
            return nil
        }
        return FileManager.default.contents(atPath: path).map { [UInt8]($0) }
    }
}
