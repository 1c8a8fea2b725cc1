import Core
import FoundationEssentials

/// The style sheets of an app's screens in cascade order: the shared sheets, the imports of
/// `app.css`, then `app.css`.
///
/// They are read from where `AssetPages` serves them: `Public/`, and `DIR/<id>/public/` for a
/// user's app.
struct AppStyleSheets: Sendable {
    let app: String
    var sheets: [SheetFile] = []
    /// Sheets that cannot be read, with the reason: `line 3: a comment …`.
    var unreadable: [(file: String, why: String)] = []

    struct SheetFile: Sendable {
        /// The path for display: `Public/apps/atlas/app.css`.
        var displayPath: String
        /// The path in the file system.
        var path: String
        /// Whether the file is in the app's own folder; other apps use it too if not.
        var isAppOwned: Bool
        var styleSheet: StyleSheet

        /// `app.css`.
        var fileName: String {
            displayPath.split(separator: "/").last.map(String.init) ?? displayPath
        }
    }

    /// The two folders that hold style sheets.
    struct Folders: Sendable {
        let publicFolder: String
        let userAppsFolder: String?
    }

    /// In bytes; a larger file is no hand-written sheet.
    private static let sheetSizeLimit = 1 << 20
    /// An app has a few sheets; every token is compared with every other.
    private static let sheetLimit = 50
    private static let tokenLimit = 2_000
    /// The sheet shared by all screens, and the one used by apps without their own.
    private static let sharedSheetPath = "/assets/screen.css"
    private static let defaultSheetPath = "/assets/plain.css"

    private let folders: Folders
    /// The number of custom properties read so far.
    private var tokenCount = 0

    init(app: String, folders: Folders) {
        self.app = app
        self.folders = folders
        var visited: Set<String> = []
        add(Self.sharedSheetPath, &visited)
        let main = Links.appAsset(app, "app.css")
        let imported = importedAddresses
        for name in findOwnSheetNames() where name != "app.css" {
            // Imports of app.css are added before the sheet that imports them.
            let address = Links.appAsset(app, name)
            if !imported.contains(address) { add(address, &visited) }
        }
        add(locateFile(at: main) == nil ? Self.defaultSheetPath : main, &visited)
    }

    /// The app's `app.css`, to which tokens can be saved; nil if it has none.
    var mainSheet: SheetFile? {
        sheets.first { $0.isAppOwned && $0.displayPath.hasSuffix("/app.css") }
    }

    /// Changes when one of the app's own files does.
    var digest: String { StyleSheet.digest(sheets.filter(\.isAppOwned).map(\.styleSheet.bytes)) }

    // MARK: Reading

    /// The names of the style sheets in the app's own folder.
    private mutating func findOwnSheetNames() -> [String] {
        let folderPaths = [
            "\(folders.publicFolder)/apps/\(app)",
            folders.userAppsFolder.map { "\($0)/\(app)/public" },
        ]
        var names: [String] = []
        for path in folderPaths.compactMap(\.self) {
            do { names += try FileManager.default.contentsOfDirectory(atPath: path) } catch let
                error as CocoaError where error.code == .fileReadNoSuchFile
            {
                // An app without its own folder uses the default sheet.
            } catch { unreadable.append((path, "unreadable folder")) }
        }
        return Set(names.filter { $0.hasSuffix(".css") && !$0.hasPrefix(".") }).sorted()
    }

    /// All direct and transitive imports of `app.css`.
    private var importedAddresses: Set<String> {
        var addresses: Set<String> = []
        var pending = [Links.appAsset(app, "app.css")]
        while let address = pending.popLast(), addresses.count < Self.sheetLimit {
            guard let file = locateFile(at: address), let bytes = try? read(file),
                let sheet = try? StyleSheet(bytes)
            else { continue }
            pending += sheet.imports.filter { addresses.insert($0).inserted }
        }
        return addresses
    }

    private mutating func add(_ address: String, _ visited: inout Set<String>) {
        guard visited.insert(address).inserted, let file = locateFile(at: address) else { return }
        let bytes: [UInt8]
        do throws(FolderReader.ReadError) { bytes = try read(file) } catch {
            return unreadable.append((file.displayPath, "\(error)"))
        }
        do throws(StyleSheet.ParseError) {
            let sheet = try StyleSheet(bytes)
            tokenCount += sheet.rules.reduce(0) {
                $0 + $1.declarations.count { $0.name.hasPrefix("--") }
            }
            guard visited.count <= Self.sheetLimit, tokenCount <= Self.tokenLimit else {
                return unreadable.append(
                    (
                        file.displayPath,
                        tokenCount > Self.tokenLimit
                            ? "more than \(Self.tokenLimit) custom properties in total"
                            : "more than \(Self.sheetLimit) style sheets"
                    ))
            }
            for address in sheet.imports { add(address, &visited) }
            sheets.append(
                SheetFile(
                    displayPath: file.displayPath, path: file.path,
                    isAppOwned: address.hasPrefix(Links.appAsset(app, "")), styleSheet: sheet))
        } catch { unreadable.append((file.displayPath, "line \(error.line): \(error.detail)")) }
    }

    /// The location of a style sheet.
    private struct File {
        var displayPath: String
        /// The root folder, and the file's path relative to it.
        var folder: String
        var relativePath: String

        var path: String { folder + "/" + relativePath }

        /// Nil if there is no regular file.
        init?(_ relativePath: String, in folder: String, displayPath: String) {
            guard FolderReader.status(relativePath, in: folder)?.kind == .file else { return nil }
            self.displayPath = displayPath
            self.folder = folder
            self.relativePath = relativePath
        }
    }

    /// The file that `AssetPages` serves at `address`.
    private func locateFile(at address: String) -> File? {
        let path = address.split(separator: "/").map(String.init)
        guard path.first == "assets", path.count <= 4, !path.contains(where: { $0.hasPrefix(".") })
        else { return nil }
        let relativePath = path.dropFirst().joined(separator: "/")
        if let file = File(
            relativePath, in: folders.publicFolder, displayPath: "Public/" + relativePath)
        {
            return file
        }
        guard path.count == 4, path[1] == "apps", let userApps = folders.userAppsFolder else {
            return nil
        }
        let userPath = "\(path[2])/public/\(path[3])"
        return File(userPath, in: userApps, displayPath: "\(userApps)/\(userPath)")
    }

    private func read(_ file: File) throws(FolderReader.ReadError) -> [UInt8] {
        try FolderReader.read(file.relativePath, in: file.folder, atMost: Self.sheetSizeLimit)
    }
}
