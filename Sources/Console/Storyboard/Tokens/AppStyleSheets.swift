import Core
import FoundationEssentials

/// The style sheets a screen of an app wears, in the order a browser lays
/// them over one another: what all screens share, what `app.css` imports,
/// `app.css`.
///
/// They lie where `AssetPages` serves them from: `Public/`, and for an app of
/// the user's `DIR/<id>/public/`.
struct AppStyleSheets: Sendable {
    let app: String
    var sheets: [SheetFile] = []
    /// Sheets that cannot be read, and why: `line 3: a comment …`.
    var unreadable: [(file: String, why: String)] = []

    struct SheetFile: Sendable {
        /// As a person names it: `Public/apps/atlas/app.css`.
        var displayPath: String
        /// Where it lies.
        var path: String
        /// Whether it lies in the app's own folder: others wear it too if not.
        var isAppOwned: Bool
        var styleSheet: StyleSheet

        /// `app.css`.
        var fileName: String {
            displayPath.split(separator: "/").last.map(String.init) ?? displayPath
        }
    }

    /// The two folders styles lie in.
    struct Folders: Sendable {
        let publicFolder: String
        let userAppsFolder: String?
    }

    /// A sheet is a few pages; what is larger is something else.
    private static let sheetSizeLimit = 1 << 20
    /// An app has a few; every token is compared with every other.
    private static let sheetLimit = 50
    private static let tokenLimit = 2_000
    /// The sheet every screen wears, and the one of an app without its own.
    private static let sharedSheetPath = "/assets/screen.css"
    private static let defaultSheetPath = "/assets/plain.css"

    private let folders: Folders
    /// How many custom properties were read.
    private var tokenCount = 0

    init(app: String, folders: Folders) {
        self.app = app
        self.folders = folders
        var seen: Set<String> = []
        add(Self.sharedSheetPath, &seen)
        let main = Links.appAsset(app, "app.css")
        let imported = importedAddresses
        for name in findOwnSheetNames() where name != "app.css" {
            // What app.css imports comes in its own turn.
            let address = Links.appAsset(app, name)
            if !imported.contains(address) { add(address, &seen) }
        }
        add(locateFile(at: main) == nil ? Self.defaultSheetPath : main, &seen)
    }

    /// The app's own sheet, which everything may be said in.
    var mainSheet: SheetFile? {
        sheets.first { $0.isAppOwned && $0.displayPath.hasSuffix("/app.css") }
    }

    /// Changes when one of the app's own files does.
    var digest: String { StyleSheet.digest(sheets.filter(\.isAppOwned).map(\.styleSheet.bytes)) }

    // MARK: Reading

    /// The names of the style sheets in the app's own folder.
    private mutating func findOwnSheetNames() -> [String] {
        let places = [
            "\(folders.publicFolder)/apps/\(app)",
            folders.userAppsFolder.map { "\($0)/\(app)/public" },
        ]
        var names: [String] = []
        for place in places.compactMap(\.self) {
            do { names += try FileManager.default.contentsOfDirectory(atPath: place) } catch let
                error as CocoaError where error.code == .fileReadNoSuchFile
            {
                // An app without a folder of its own wears the plain sheet.
            } catch { unreadable.append((place, "the folder cannot be read")) }
        }
        return Set(names.filter { $0.hasSuffix(".css") && !$0.hasPrefix(".") }).sorted()
    }

    /// Everything `app.css` imports, directly or not.
    private var importedAddresses: Set<String> {
        var found: Set<String> = []
        var next = [Links.appAsset(app, "app.css")]
        while let address = next.popLast(), found.count < Self.sheetLimit {
            guard let file = locateFile(at: address), let bytes = try? read(file),
                let sheet = try? StyleSheet(bytes)
            else { continue }
            next += sheet.imports.filter { found.insert($0).inserted }
        }
        return found
    }

    private mutating func add(_ address: String, _ seen: inout Set<String>) {
        guard seen.insert(address).inserted, let file = locateFile(at: address) else { return }
        let bytes: [UInt8]
        do throws(FolderReader.ReadError) { bytes = try read(file) } catch {
            return unreadable.append((file.displayPath, "\(error)"))
        }
        do throws(StyleSheet.ParseError) {
            let sheet = try StyleSheet(bytes)
            tokenCount += sheet.rules.reduce(0) {
                $0 + $1.declarations.count { $0.name.hasPrefix("--") }
            }
            guard seen.count <= Self.sheetLimit, tokenCount <= Self.tokenLimit else {
                return unreadable.append(
                    (
                        file.displayPath,
                        tokenCount > Self.tokenLimit
                            ? "with it there are more than "
                                + "\(Self.tokenLimit) custom properties"
                            : "there are more than \(Self.sheetLimit) sheets"
                    ))
            }
            for address in sheet.imports { add(address, &seen) }
            sheets.append(
                SheetFile(
                    displayPath: file.displayPath, path: file.path,
                    isAppOwned: address.hasPrefix(Links.appAsset(app, "")), styleSheet: sheet))
        } catch { unreadable.append((file.displayPath, "line \(error.line): \(error.detail)")) }
    }

    /// Where a sheet lies.
    private struct File {
        var displayPath: String
        /// The folder of all, and the file below it.
        var folder: String
        var relativePath: String

        var path: String { folder + "/" + relativePath }

        /// Nil where no regular file is.
        init?(_ below: String, in folder: String, displayPath: String) {
            guard FolderReader.status(below, in: folder)?.kind == .file else { return nil }
            self.displayPath = displayPath
            self.folder = folder
            self.relativePath = below
        }
    }

    /// What `AssetPages` would answer with at `address`.
    private func locateFile(at address: String) -> File? {
        let path = address.split(separator: "/").map(String.init)
        guard path.first == "assets", path.count <= 4, !path.contains(where: { $0.hasPrefix(".") })
        else { return nil }
        let below = path.dropFirst().joined(separator: "/")
        if let own = File(below, in: folders.publicFolder, displayPath: "Public/" + below) {
            return own
        }
        guard path.count == 4, path[1] == "apps", let users = folders.userAppsFolder else {
            return nil
        }
        let user = "\(path[2])/public/\(path[3])"
        return File(user, in: users, displayPath: "\(users)/\(user)")
    }

    private func read(_ file: File) throws(FolderReader.ReadError) -> [UInt8] {
        try FolderReader.read(file.relativePath, in: file.folder, atMost: Self.sheetSizeLimit)
    }
}
