import Core
import Crypto
import FoundationEssentials
import HTTPServer
import SQLite
import Templates
import Web

extension Application {
    /// The folder with `templates/` and `Public/`.
    static func findRoot(_ options: RunOptions) throws -> String {
        if let root = options.rootFolder {
            guard ProjectRoot.find(from: root) == root else {
                throw StartError("--root \(root) holds no templates/ and Public/.")
            }
            return root
        }
        for start in Self.rootCandidates() {
            if let root = ProjectRoot.find(from: start) { return root }
        }
        throw StartError(
            "templates/ and Public/ are not found above the program or the "
                + "working folder; give --root DIR.")
    }

    /// Throws unless the folder of the user's apps, if set, can be read.
    static func checkAppsFolder(_ options: RunOptions) throws(StartError) {
        guard let folder = options.appsFolder else { return }
        do { _ = try FileManager.default.contentsOfDirectory(atPath: folder) } catch {
            throw StartError(
                "--apps \(folder) is no folder that can be read; give the "
                    + "folder that holds one folder for each app.")
        }
    }

    /// The program's folder, then the working folder.
    private static func rootCandidates() -> [String] {
        let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let folder = program.map { path in
            String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        }
        return [folder, FileManager.default.currentDirectoryPath].compactMap { $0 }
    }

    /// Opens or creates a database file, concurrently with the caller.
    @concurrent static func openDatabase(
        _ path: String, _ durability: Database.Durability, _ migrations: [Migration]
    ) async throws -> Database {
        try Database(path: path, durability: durability, migrations: migrations)
    }

    /// Names a browser may use for the console besides loopback's.
    static func extraHosts(_ options: RunOptions) -> [String] {
        options.extraHosts + (options.bindAddress == "127.0.0.1" ? [] : [options.bindAddress])
    }

    /// A server on `port`, which the option `flag` sets.
    static func makeServer(
        _ options: RunOptions, _ port: UInt16, _ flag: String, _ world: World,
        _ responder: @escaping Responder, _ change: (inout ServerConfiguration) -> Void
    ) throws -> Server {
        var configuration = ServerConfiguration(port: port)
        configuration.address = options.bindAddress
        configuration.log = world.log.writeLine
        change(&configuration)
        do { return try Server(configuration, responder: responder) } catch {
            guard error.kind == .portInUse else { throw error }
            throw StartError("\(error.detail); give \(flag) another one")
        }
    }

    /// The key that seals tokens at rest, 32 bytes. It is created only in a folder without
    /// databases: the content of existing ones is sealed with the previous key.
    static func loadSealingKey(_ data: DataFolder, _ world: World) throws(StartError) -> [UInt8] {
        let fix = "put its backup back, or move the data folder away to start anew"
        let file = SecretFile(
            path: data.filePath(SecretFile.sealingKeyName),
            isValid: { Self.decodeHex(hex: $0)?.count == 32 },
            fix: fix)
        if let stored = try file.read(), let bytes = Self.decodeHex(hex: stored) { return bytes }
        guard !data.hasDatabases else {
            throw StartError(
                "\(file.path) is missing, and nothing else opens what is "
                    + "sealed in the databases beside it; \(fix).")
        }
        let bytes = world.randomBytes(32)
        try file.create(encodeHex(bytes))
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
            path: data.filePath(SecretFile.consoleKeyName),
            isValid: { key in
                // A generated key has a fixed length; others are the user's.
                Arguments.isValidKey(key) && (!key.hasPrefix("fk_") || key.count == newKey.count)
            }, fix: "remove it, and the next start makes another")
        if let stored = try file.read() { return stored }
        try file.create(newKey)
        return newKey
    }

    /// Signs the console's cookies.
    static func makeMAC(_ key: String) -> @Sendable (String) -> String {
        let bytes = Array(key.utf8)
        return { Digest.hmac($0, key: bytes) }
    }

    /// Problems for errors of modules that the console does not import.
    static let makeProblem: @Sendable (any Error) -> Problem? = { error in
        switch error {
        case let error as DatabaseError:
            Problem(
                status: error.kind == .busy ? 503 : 507, code: "storage",
                title: "The data could not be read or written", detail: "\(error).")
        case let error as CryptoError where error.kind == .wrongKey:
            Problem(
                status: 500, code: "wrong-sealing-key", title: "What is stored cannot be opened",
                detail: """
                    It was sealed with another key. Put the data folder's \
                    sealing.key back, or forget the storage.
                    """)
        case let error as TemplateError:
            Problem(
                status: 500, code: "template", title: "A template has a mistake", detail: "\(error)"
            )
        default: nil
        }
    }

    /// Nil if `text` is not hexadecimal.
    private static func decodeHex(hex text: String) -> [UInt8]? {
        let digits = Array(text.utf8)
        // `UInt8` would accept a sign as well.
        guard digits.count.isMultiple(of: 2), text.allSatisfy(\.isHexDigit) else { return nil }
        let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(decoding: digits[$0...($0 + 1)], as: UTF8.self), radix: 16)
        }
        return bytes.count * 2 == digits.count ? bytes : nil
    }

    static func encodeHex(_ bytes: [UInt8]) -> String {
        bytes.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count < 2 ? "0" + digits : digits
        }.joined()
    }
}
