import FoundationEssentials
import HTTPServer
import SQLite
import Secrets
import Surroundings
import Templates
import Web

extension House {
    /// Where `templates/` and `Public/` are.
    static func root(_ options: Options) throws -> String {
        if let root = options.root {
            guard ProjectRoot.find(from: root) == root else {
                throw StartError(
                    "--root \(root) holds no templates/ and Public/.")
            }
            return root
        }
        for start in Self.starts() {
            if let root = ProjectRoot.find(from: start) { return root }
        }
        throw StartError(
            "templates/ and Public/ are not found above the program or the "
                + "working folder; give --root DIR.")
    }

    /// The folder of the program, then the working folder.
    private static func starts() -> [String] {
        let program = try? FileManager.default.destinationOfSymbolicLink(
            atPath: "/proc/self/exe")
        let folder = program.map { path in
            String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        }
        return [folder, FileManager.default.currentDirectoryPath]
            .compactMap { $0 }
    }

    /// A database file, opened or made beside the caller.
    @concurrent
    static func database(
        _ path: String, _ durability: Database.Durability, _ migrations: [Migration]
    ) async throws -> Database {
        try Database(
            path: path, durability: durability, migrations: migrations)
    }

    /// Names a browser may use for the console besides loopback's own.
    static func hosts(_ options: Options) -> [String] {
        options.hosts + (options.bind == "127.0.0.1" ? [] : [options.bind])
    }

    /// On the port that `flag` of the options has.
    static func server(
        _ options: Options, _ port: UInt16, _ flag: String, _ world: World,
        _ responder: @escaping Responder,
        _ change: (inout ServerConfiguration) -> Void = { _ in }
    ) throws -> Server {
        var configuration = ServerConfiguration(port: port)
        configuration.address = options.bind
        // A connection costs what its headers may take; no browser and no
        // app sends more.
        configuration.headerLimit = 8 << 10
        configuration.log = world.log.line
        change(&configuration)
        do {
            return try Server(configuration, responder: responder)
        } catch {
            guard error.kind == .portTaken else { throw error }
            throw StartError("\(error.detail); give \(flag) another one")
        }
    }

    /// The key that seals tokens at rest, 32 bytes.
    static func sealingKey(
        _ data: DataFolder, _ world: World
    ) throws -> [UInt8] {
        let text = try data.secret("sealing.key") { hex(world.random(32)) }
        let digits = Array(text.utf8)
        let bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap {
            UInt8(String(decoding: digits[$0...($0 + 1)], as: UTF8.self),
                radix: 16)
        }
        guard bytes.count == 32, digits.count == 64 else {
            throw StartError(
                "\(data.file("sealing.key")) is damaged; put its backup back, "
                    + "or move the data folder away to start anew.")
        }
        return bytes
    }

    /// The console's key; nil with `--key none`.
    static func consoleKey(
        _ options: Options, _ data: DataFolder, _ world: World
    ) throws -> String? {
        switch options.key {
        case .none: nil
        case .given(let key): key
        case .kept:
            try data.secret("console.key") {
                Identifier.make(prefix: "fk", bytes: world.random(32))
            }
        }
    }

    /// Signs the console's cookies.
    static func mac(_ key: String) -> @Sendable (String) -> String {
        let bytes = Array(key.utf8)
        return { Digest.hmac($0, key: bytes) }
    }

    /// The words of rooms the console does not know.
    static let explain: @Sendable (any Error) -> Problem? = { error in
        switch error {
        case let error as DatabaseError:
            Problem(
                status: error.kind == .busy ? 503 : 507, code: "storage",
                title: "The data could not be read or written",
                detail: "\(error).")
        case let error as SecretsError where error.kind == .wrongKey:
            Problem(
                status: 500, code: "wrong-sealing-key",
                title: "What is stored cannot be opened",
                detail: """
                    It was sealed with another key. Put the data folder's \
                    sealing.key back, or forget the storage.
                    """)
        case let error as TemplateError:
            Problem(
                status: 500, code: "template",
                title: "A template has a mistake", detail: "\(error)")
        default:
            nil
        }
    }

    static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count < 2 ? "0" + digits : digits
        }.joined()
    }
}
