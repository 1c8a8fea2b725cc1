import Core
import FoundationEssentials
import Web

/// The style sheets of an app's screens in cascade order: the shared sheets, the imports of
/// `app.css`, then `app.css`.
///
/// They are read from where the console serves them below `/assets/`: `Public/`, and
/// `DIR/<id>/public/` for a user's app.
package struct AppStyleSheets: Sendable {
    package private(set) var sheets: [SheetFile] = []
    package private(set) var unreadable: [UnreadableSheet] = []

    /// One of the app's style sheets.
    package struct SheetFile: Sendable {
        /// The path for display: `Public/apps/atlas/app.css`.
        package var displayPath: String
        /// The path in the file system.
        var path: String
        /// Whether the file is in the app's own folder; other apps use it too if not.
        package var isAppOwned: Bool
        var styleSheet: StyleSheet

        /// `app.css`.
        package var fileName: String {
            displayPath.split(separator: "/").last.map(String.init) ?? displayPath
        }
    }

    /// A sheet that cannot be read, or the folder of sheets.
    package struct UnreadableSheet: Encodable, Sendable {
        var file: String
        /// `line 3: a comment …`.
        var reason: String
    }

    /// In bytes; a larger file is no hand-written sheet.
    private static let sheetSizeLimit = 1 << 20
    /// An app has a few sheets; every token is compared with every other.
    private static let sheetLimit = 50
    private static let tokenLimit = 2_000
    /// The sheet shared by all screens, and the one used by apps without their own.
    private static let sharedSheet = "/assets/screen.css"
    private static let defaultSheet = "/assets/plain.css"

    private let folders: AppFolders
    /// Where the app's own files are served.
    private let ownAddress: String
    private var visited: Set<String> = []
    /// The number of custom properties read so far.
    private var tokenCount = 0

    package init(app: String, folders: AppFolders) {
        self.folders = folders
        ownAddress = "/assets/apps/\(app)/"
        let main = ownAddress + "app.css"
        sheets = read(Self.sharedSheet)
        let mainSheets = read(folders.locateFile(at: main) == nil ? Self.defaultSheet : main)
        for name in findOwnSheetNames(of: app) { sheets += read(ownAddress + name) }
        sheets += mainSheets
    }

    /// The app's `app.css`, to which tokens can be saved; nil if it has none.
    package var mainSheet: SheetFile? {
        sheets.first { $0.isAppOwned && $0.displayPath.hasSuffix("/app.css") }
    }

    /// Changes when one of the app's own files does.
    package var digest: String {
        StaticFiles.digest(sheets.filter(\.isAppOwned).flatMap { $0.styleSheet.bytes + [0xFF] })
    }

    // MARK: Reading

    /// The names of the style sheets in the app's own folder.
    private mutating func findOwnSheetNames(of app: String) -> [String] {
        var names: Set<String> = []
        let userFolder = folders.userAppsFolder.map { "\($0)/\(app)/public" }
        for path in ["\(folders.publicFolder)/apps/\(app)", userFolder].compactMap(\.self) {
            do {
                names.formUnion(try FileManager.default.contentsOfDirectory(atPath: path))
            } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
                // An app without its own folder uses the default sheet.
            } catch { unreadable.append(.init(file: path, reason: "unreadable folder")) }
        }
        return names.filter { $0.hasSuffix(".css") && !$0.hasPrefix(".") }.sorted()
    }

    /// Reads a sheet and its imports, which come first; nothing if it was read before.
    private mutating func read(_ address: String) -> [SheetFile] {
        guard visited.insert(address).inserted, let file = folders.locateFile(at: address) else {
            return []
        }
        do {
            let bytes = try FolderReader.read(
                file.relativePath, in: file.folder, atMost: Self.sheetSizeLimit)
            let sheet = try StyleSheet(bytes)
            tokenCount += sheet.rules.flatMap(\.declarations).count(where: \.isCustomProperty)
            let reason: String? =
                tokenCount > Self.tokenLimit
                ? "more than \(Self.tokenLimit) custom properties in total"
                : visited.count > Self.sheetLimit
                    ? "more than \(Self.sheetLimit) style sheets" : nil
            if let reason {
                unreadable.append(.init(file: file.displayPath, reason: reason))
                return []
            }
            let imported = sheet.imports.flatMap { read($0) }
            return imported + [
                SheetFile(
                    displayPath: file.displayPath, path: file.folder + "/" + file.relativePath,
                    isAppOwned: address.hasPrefix(ownAddress), styleSheet: sheet)
            ]
        } catch {
            unreadable.append(.init(file: file.displayPath, reason: "\(error)"))
            return []
        }
    }
}

/// The two folders whose files the console serves below `/assets/`.
package struct AppFolders: Sendable {
    let publicFolder: String
    let userAppsFolder: String?

    package init(publicFolder: String, userAppsFolder: String?) {
        self.publicFolder = publicFolder
        self.userAppsFolder = userAppsFolder
    }

    /// A file's path for display, its root folder, and its path relative to that.
    package typealias File = (displayPath: String, folder: String, relativePath: String)

    /// The regular file that is served at `address`.
    package func locateFile(at address: String) -> File? {
        let path = address.split(separator: "/").map(String.init)
        guard path.first == "assets", path.count <= 4,
            !path.contains(where: { $0.hasPrefix(".") })
        else { return nil }
        let publicPath = path.dropFirst().joined(separator: "/")
        var files: [File] = [("Public/" + publicPath, publicFolder, publicPath)]
        if path.count == 4, path[1] == "apps", let userApps = userAppsFolder {
            let userPath = "\(path[2])/public/\(path[3])"
            files.append(("\(userApps)/\(userPath)", userApps, userPath))
        }
        return files.first {
            FolderReader.status($0.relativePath, in: $0.folder)?.kind == .file
        }
    }
}
