import FoundationEssentials
import Surroundings

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
        var file: String { name.split(separator: "/").last.map(String.init) ?? name }
    }

    /// The two folders styles lie in.
    struct Folders: Sendable {
        let publicFolder: String
        let userApps: String?
    }

    /// A sheet is a few pages; what is larger is something else.
    private static let largest = 1 << 20
    /// An app has a few; every token is compared with every other.
    private static let mostSheets = 50
    private static let mostTokens = 2_000
    /// The sheet every screen wears, and the one of an app without its own.
    private static let shared = "/assets/screen.css"
    private static let plain = "/assets/plain.css"

    private let folders: Folders
    /// How many custom properties were read.
    private var tokens = 0

    init(app: String, folders: Folders) {
        self.app = app
        self.folders = folders
        var seen: Set<String> = []
        add(Self.shared, &seen)
        let main = Links.appAsset(app, "app.css")
        let imported = imported
        for name in ownNames() where name != "app.css" {
            // What app.css imports comes in its own turn.
            let address = Links.appAsset(app, name)
            if !imported.contains(address) { add(address, &seen) }
        }
        add(file(at: main) == nil ? Self.plain : main, &seen)
    }

    /// The app's own sheet, which everything may be said in.
    var main: Sheet? { sheets.first { $0.isOwn && $0.name.hasSuffix("/app.css") } }

    /// Changes when one of the app's own files does.
    var digest: String { StyleSheet.digest(sheets.filter(\.isOwn).map(\.sheet.bytes)) }

    // MARK: Reading

    /// The names of the style sheets in the app's own folder.
    private mutating func ownNames() -> [String] {
        let places = [
            "\(folders.publicFolder)/apps/\(app)", folders.userApps.map { "\($0)/\(app)/public" },
        ]
        var names: [String] = []
        for place in places.compactMap(\.self) {
            do { names += try FileManager.default.contentsOfDirectory(atPath: place) } catch let
                error as CocoaError where error.code == .fileReadNoSuchFile
            {
                // An app without a folder of its own wears the plain sheet.
            } catch { broken.append((place, "the folder cannot be read")) }
        }
        return Set(names.filter { $0.hasSuffix(".css") && !$0.hasPrefix(".") }).sorted()
    }

    /// Everything `app.css` imports, directly or not.
    private var imported: Set<String> {
        var found: Set<String> = []
        var next = [Links.appAsset(app, "app.css")]
        while let address = next.popLast(), found.count < Self.mostSheets {
            guard let file = file(at: address), let bytes = try? read(file),
                let sheet = try? StyleSheet(bytes)
            else { continue }
            next += sheet.imports.filter { found.insert($0).inserted }
        }
        return found
    }

    private mutating func add(_ address: String, _ seen: inout Set<String>) {
        guard seen.insert(address).inserted, let file = file(at: address) else { return }
        let bytes: [UInt8]
        do throws(FolderFile.Refusal) { bytes = try read(file) } catch {
            return broken.append((file.name, "\(error)"))
        }
        do throws(StyleSheet.Failure) {
            let sheet = try StyleSheet(bytes)
            tokens += sheet.rules.reduce(0) {
                $0 + $1.declarations.count { $0.name.hasPrefix("--") }
            }
            guard seen.count <= Self.mostSheets, tokens <= Self.mostTokens else {
                return broken.append(
                    (
                        file.name,
                        tokens > Self.mostTokens
                            ? "with it there are more than "
                                + "\(Self.mostTokens) custom properties"
                            : "there are more than \(Self.mostSheets) sheets"
                    ))
            }
            for address in sheet.imports { add(address, &seen) }
            sheets.append(
                Sheet(
                    name: file.name, path: file.path,
                    isOwn: address.hasPrefix(Links.appAsset(app, "")), sheet: sheet))
        } catch { broken.append((file.name, "line \(error.line): \(error.detail)")) }
    }

    /// Where a sheet lies.
    private struct File {
        var name: String
        /// The folder of all, and the file below it.
        var folder: String
        var below: String

        var path: String { folder + "/" + below }

        /// Nil where no regular file is.
        init?(_ below: String, in folder: String, name: String) {
            guard FolderFile.facts(below, in: folder)?.kind == .file else { return nil }
            self.name = name
            self.folder = folder
            self.below = below
        }
    }

    /// What `AssetPages` would answer with at `address`.
    private func file(at address: String) -> File? {
        let path = address.split(separator: "/").map(String.init)
        guard path.first == "assets", path.count <= 4, !path.contains(where: { $0.hasPrefix(".") })
        else { return nil }
        let below = path.dropFirst().joined(separator: "/")
        if let own = File(below, in: folders.publicFolder, name: "Public/" + below) { return own }
        guard path.count == 4, path[1] == "apps", let users = folders.userApps else { return nil }
        let user = "\(path[2])/public/\(path[3])"
        return File(user, in: users, name: "\(users)/\(user)")
    }

    private func read(_ file: File) throws(FolderFile.Refusal) -> [UInt8] {
        try FolderFile.read(file.below, in: file.folder, atMost: Self.largest)
    }
}
