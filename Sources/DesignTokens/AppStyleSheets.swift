import Core
import FoundationEssentials

/// The style sheets of an app's screens in cascade order: the shared sheets, the imports of
/// `app.css`, then `app.css`.
///
/// They are read from where the console serves them below `/assets/`: `Public/`, and
/// `DIR/<id>/public/` for a user's app.
package struct AppStyleSheets: Sendable {
    package private(set) var sheets: [SheetFile] = []
    /// Sheets that cannot be read, with the reason: `line 3: a comment …`.
    package private(set) var unreadable: [(file: String, why: String)] = []

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

    /// The two folders that hold style sheets.
    package struct Folders: Sendable {
        let publicFolder: String
        let userAppsFolder: String?

        package init(publicFolder: String, userAppsFolder: String?) {
            self.publicFolder = publicFolder
            self.userAppsFolder = userAppsFolder
        }
    }

    /// In bytes; a larger file is no hand-written sheet.
    private static let sheetSizeLimit = 1 << 20
    /// An app has a few sheets; every token is compared with every other.
    private static let sheetLimit = 50
    private static let tokenLimit = 2_000
    /// The sheet shared by all screens, and the one used by apps without their own.
    private static let sharedSheet = "/assets/screen.css"
    private static let defaultSheet = "/assets/plain.css"

    private let folders: Folders
    /// Where the app's own files are served.
    private let ownAddress: String
    private var visited: Set<String> = []
    /// The number of custom properties read so far.
    private var tokenCount = 0

    package init(app: String, folders: Folders) {
        self.folders = folders
        ownAddress = "/assets/apps/\(app)/"
        let main = ownAddress + "app.css"
        // Imports of app.css are added before the sheet that imports them.
        let imported = importedAddresses(of: main)
        let own = findOwnSheetNames(of: app).map { ownAddress + $0 }
        add(Self.sharedSheet)
        for address in own where address != main && !imported.contains(address) { add(address) }
        add(locateFile(at: main) == nil ? Self.defaultSheet : main)
    }

    /// The app's `app.css`, to which tokens can be saved; nil if it has none.
    package var mainSheet: SheetFile? {
        sheets.first { $0.isAppOwned && $0.displayPath.hasSuffix("/app.css") }
    }

    /// Changes when one of the app's own files does.
    package var digest: String {
        StyleSheet.digest(sheets.filter(\.isAppOwned).map(\.styleSheet.bytes))
    }

    // MARK: Reading

    /// The names of the style sheets in the app's own folder.
    private mutating func findOwnSheetNames(of app: String) -> [String] {
        var names: Set<String> = []
        for path in [
            "\(folders.publicFolder)/apps/\(app)",
            folders.userAppsFolder.map { "\($0)/\(app)/public" },
        ].compactMap(\.self) {
            do {
                names.formUnion(try FileManager.default.contentsOfDirectory(atPath: path))
            } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
                // An app without its own folder uses the default sheet.
            } catch { unreadable.append((path, "unreadable folder")) }
        }
        return names.filter { $0.hasSuffix(".css") && !$0.hasPrefix(".") }.sorted()
    }

    /// All direct and transitive imports of a sheet.
    private func importedAddresses(of main: String) -> Set<String> {
        var addresses: Set<String> = []
        var pending = [main]
        while let address = pending.popLast(), addresses.count < Self.sheetLimit {
            guard let bytes = try? locateFile(at: address)?.read(),
                let sheet = try? StyleSheet(bytes)
            else { continue }
            pending += sheet.imports.filter { addresses.insert($0).inserted }
        }
        return addresses
    }

    /// Adds a sheet after its imports, unless it was added before.
    private mutating func add(_ address: String) {
        guard visited.insert(address).inserted, let file = locateFile(at: address) else { return }
        do {
            let sheet = try StyleSheet(try file.read())
            tokenCount += sheet.rules.flatMap(\.declarations).count(where: \.isCustomProperty)
            if tokenCount > Self.tokenLimit {
                throw LimitError("more than \(Self.tokenLimit) custom properties in total")
            }
            if visited.count > Self.sheetLimit {
                throw LimitError("more than \(Self.sheetLimit) style sheets")
            }
            for address in sheet.imports { add(address) }
            sheets.append(
                SheetFile(
                    displayPath: file.displayPath, path: file.folder + "/" + file.relativePath,
                    isAppOwned: address.hasPrefix(ownAddress), styleSheet: sheet))
        } catch { unreadable.append((file.displayPath, "\(error)")) }
    }

    private struct LimitError: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) { self.description = description }
    }

    /// The location of a style sheet.
    private struct File {
        var displayPath: String
        /// The root folder, and the file's path relative to it.
        var folder: String
        var relativePath: String

        func read() throws(FolderReader.ReadError) -> [UInt8] {
            try FolderReader.read(relativePath, in: folder, atMost: AppStyleSheets.sheetSizeLimit)
        }
    }

    /// The regular file that is served at `address`.
    private func locateFile(at address: String) -> File? {
        let path = address.split(separator: "/").map(String.init)
        guard path.first == "assets", path.count <= 4, !path.contains(where: { $0.hasPrefix(".") })
        else { return nil }
        let publicPath = path.dropFirst().joined(separator: "/")
        var files = [
            File(
                displayPath: "Public/" + publicPath, folder: folders.publicFolder,
                relativePath: publicPath)
        ]
        if path.count == 4, path[1] == "apps", let userApps = folders.userAppsFolder {
            let userPath = "\(path[2])/public/\(path[3])"
            files.append(
                File(
                    displayPath: "\(userApps)/\(userPath)", folder: userApps,
                    relativePath: userPath))
        }
        return files.first { FolderReader.status($0.relativePath, in: $0.folder)?.kind == .file }
    }
}
