import Apps
import BrowserCapture
import Core
import Crypto
import Email
import FoundationEssentials
import HTTPServer
import SMTPServer
import SQLite
import Templates
import Web
import Workspaces

extension Application {
    /// The folder with `templates/` and `Public/`.
    static func findRoot(_ options: RunOptions) throws -> String {
        if let root = options.rootFolder {
            guard ProjectRoot.find(from: root) == root else {
                throw StartError("--root \(root) does not contain templates/ and Public/.")
            }
            return root
        }
        let files = FileManager.default
        let program = try? files.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let starts = [program, files.currentDirectoryPath].compactMap(\.self)
        guard let root = starts.lazy.compactMap(ProjectRoot.find).first else {
            throw StartError(
                "templates/ and Public/ were not found above the program or the working folder; "
                    + "use --root DIR.")
        }
        return root
    }

    /// The folder of the user's apps: that of `--apps`, which must be readable, or `apps` in the
    /// data folder.
    static func prepareAppsFolder(_ options: RunOptions, _ data: DataFolder) throws(StartError)
        -> String
    {
        guard let folder = options.appsFolder else {
            let folder = data.filePath("apps")
            // If it cannot be created, adding an app reports that.
            try? FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true)
            return folder
        }
        do { _ = try FileManager.default.contentsOfDirectory(atPath: folder) } catch {
            throw StartError(
                "--apps \(folder) is not a readable folder; use the folder that has one subfolder "
                    + "per app.")
        }
        return folder
    }

    /// Opens or creates a database file, concurrently with the caller.
    @concurrent static func openDatabase(
        _ path: String, _ durability: Database.Durability, _ migrations: [Migration]
    ) async throws -> Database {
        try Database(path: path, durability: durability, migrations: migrations)
    }

    /// Reads the templates of Foyer and of the user's apps, concurrently with the caller.
    @concurrent static func loadTemplates(_ root: String, userApps: String) async throws
        -> Templates
    {
        try Templates(folders: [
            Templates.Folder(path: root + "/templates"),
            Templates.Folder(path: userApps, prefix: "apps"),
        ])
    }

    /// Names a browser may use for the console besides loopback's.
    static func extraHosts(_ options: RunOptions) -> [String] {
        options.extraHosts + (options.bindAddress == "127.0.0.1" ? [] : [options.bindAddress])
    }

    /// The socket of a server on `port`, which the option `flag` sets.
    static func listen(_ options: RunOptions, _ port: UInt16, _ flag: String) throws
        -> ListeningSocket
    {
        do { return try ListeningSocket(address: options.bindAddress, port: port) } catch {
            guard error.kind == .portInUse else { throw error }
            throw StartError("\(error.detail); use another one with \(flag)")
        }
    }

    /// The SMTP server, if `--smtp-port` is set; the other two servers' address rules apply.
    static func startSMTP(_ options: RunOptions, _ intake: MailIntake) throws -> SMTPServer? {
        guard let port = options.smtpPort else { return nil }
        return try SMTPServer(
            listen(options, port, "--smtp-port"), SMTPConfiguration(authorize: intake.authorize),
            deliver: intake.deliver)
    }

    static func serverConfiguration(_ world: World, connections: Int) -> ServerConfiguration {
        var configuration = ServerConfiguration()
        configuration.log = world.log.writeLine
        configuration.connectionLimit = connections
        return configuration
    }

    /// A picture takes a tenth of a second; this leaves time on a busy machine.
    private static let pictureTimeout = Duration.seconds(30)

    /// The browser that takes pictures of the console's pages.
    static func browserConfiguration(_ options: RunOptions, key: String?)
        -> SharedBrowser.Configuration
    {
        SharedBrowser.Configuration(
            findChromium: { options.chromiumFile ?? Chromium.find(path: options.searchPath) },
            makeFolder: { () throws(ScreenshotError) in
                do throws(StartError) {
                    let folder = try TemporaryDirectory(in: options.temporaryFolder)
                    return (folder.path, folder.remove)
                } catch { throw .notStarted(reason: error.message) }
            }, timeout: pictureTimeout,
            headers: key.map { ["Authorization": "Bearer \($0)"] } ?? [:])
    }

    /// The console's URL for a browser on this machine.
    static func browserOrigin(_ options: RunOptions, port: UInt16) -> String {
        let address = options.bindAddress
        let host =
            ["0.0.0.0", "::"].contains(address)
            ? "127.0.0.1" : address.contains(":") ? "[\(address)]" : address
        return "http://\(host):\(port)"
    }

    /// The key that seals tokens at rest, 32 bytes. It is created only in a folder without
    /// databases: the content of existing ones is sealed with the previous key.
    static func loadSealingKey(_ data: DataFolder, _ world: World) throws(StartError) -> [UInt8] {
        let fix = "restore its backup, or move the data folder away to start over"
        let file = SecretFile(
            folder: data.path, name: SecretFile.sealingKeyName,
            isValid: { Self.key(hex: $0) != nil }, fix: fix)
        if let stored = try file.read(), let bytes = Self.key(hex: stored) { return bytes }
        guard !data.hasDatabases else {
            throw StartError(
                "\(file.path) is missing, and nothing else decrypts the secrets in the databases "
                    + "beside it; \(fix).")
        }
        let bytes = world.randomBytes(32)
        try file.create(Hex.encode(bytes))
        return bytes
    }

    /// The console's key; nil with `--key none`.
    static func loadConsoleKey(_ options: RunOptions, _ data: DataFolder, _ world: World)
        throws(StartError) -> String?
    {
        switch options.key {
        case .none: return nil
        case .explicit(let key): return key
        case .stored: break
        }
        let newKey = Identifier.make(prefix: "fk", bytes: world.randomBytes(32))
        let file = SecretFile(
            folder: data.path, name: SecretFile.consoleKeyName,
            isValid: { key in
                // A generated key has a fixed length; others are the user's.
                RunOptions.isValidKey(key) && (!key.hasPrefix("fk_") || key.count == newKey.count)
            }, fix: "remove it to get a new one at the next start")
        if let stored = try file.read() { return stored }
        try file.create(newKey)
        return newKey
    }

    /// Problems for errors of modules that the console does not import.
    static let makeProblem: @Sendable (any Error) -> Problem? = { error in
        switch error {
        case let error as DatabaseError:
            Problem(
                status: error.kind == .busy ? 503 : 507, code: "storage", title: "Storage error",
                detail: "\(error).")
        case let error as CryptoError where error.kind == .wrongKey:
            Problem(
                status: 500, code: "wrong-sealing-key", title: "Stored data could not be decrypted",
                detail: """
                    It was encrypted with another key. Restore the data folder's \
                    sealing.key, or clear the storage.
                    """)
        case let error as TemplateError:
            Problem(status: 500, code: "template", title: "Template error", detail: "\(error)")
        default: nil
        }
    }

    /// The 32 bytes of 64 hexadecimal digits; nil for any other text.
    private static func key(hex text: String) -> [UInt8]? {
        text.utf8.count == 64 && text.allSatisfy(\.isHexDigit) ? Hex.decode(text) : nil
    }

    /// Publishes manifest changes on disk to open pages, until the task is canceled.
    ///
    /// Every access to the catalog detects changes; while pages listen, this polls for those
    /// between accesses, often enough for a user who saves a file and turns to the page.
    static func watchManifests(_ catalog: AppCatalog, _ hub: EventHub, _ world: World) async {
        catalog.observe { changes in
            for workspace in hub.lastIDs().keys.sorted() {
                for change in changes { hub.publish(change.makeEvent(workspace)) }
            }
        }
        while !Task.isCancelled {
            try? await world.sleep(.milliseconds(500))
            if hub.hasListeners { _ = catalog.entries() }
        }
    }
}

extension AppCatalog.Change {
    fileprivate func makeEvent(_ workspace: String) -> Event {
        let title =
            switch entry {
            case .app(let app): "\(app.name) was reloaded"
            case .broken: "Manifest error in \(id)"
            case nil: "\(id) was removed"
            }
        return Event(workspace: workspace, kind: .appsReloaded, app: id, title: title)
    }
}
