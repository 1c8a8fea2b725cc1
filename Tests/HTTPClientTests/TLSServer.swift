import CGlibc
import Glibc
import Support

/// A TLS server: `openssl s_server` with a generated certificate, because TLS is out of scope for
/// `ScriptedServer`.
final class TLSServer {
    let port: UInt16
    /// Path of the self-signed certificate.
    let certificate: String

    private let folder: String
    private let process: pid_t
    private let output: Int32

    struct NotStarted: Error {}

    /// Path of `openssl`; nil if it is not installed.
    static let tool: String? = ["/usr/bin/openssl", "/usr/local/bin/openssl"].first {
        access($0, X_OK) == 0
    }

    /// `name` is the host name the certificate is for.
    init(name: String) throws {
        var pattern = Array("/tmp/foyer-tls-XXXXXX".utf8CString)
        guard mkdtemp(&pattern) != nil else { throw NotStarted() }
        folder = String(decoding: pattern.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        certificate = folder + "/certificate.pem"
        let key = folder + "/key.pem"
        let generator = try Self.start([
            "req", "-x509", "-newkey", "ec", "-pkeyopt",
            "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=\(name)",
            "-addext", "subjectAltName=DNS:\(name)", "-days", "2", "-keyout",
            key, "-out", certificate,
        ])
        close(generator.output)
        var status: Int32 = 0
        waitpid(generator.process, &status, 0)
        (process, output) = try Self.start([
            "s_server", "-accept", "127.0.0.1:0", "-cert", certificate, "-key", key, "-www",
        ])
        // "ACCEPT 127.0.0.1:40657" once it listens.
        var text = ""
        var bytes = [UInt8](repeating: 0, count: 1024)
        var port: UInt16?
        while port == nil {
            let count = read(output, &bytes, bytes.count)
            guard count > 0 else { break }
            text += String(decoding: bytes[..<count], as: UTF8.self)
            port = text.split(separator: "\n").first {
                $0.hasPrefix("ACCEPT ") && text.hasSuffix("\n")
            }?.split(separator: ":").last.flatMap { UInt16($0) }
        }
        self.port = port ?? 0
        guard port != nil else { throw NotStarted() }
    }

    deinit {
        kill(process, SIGKILL)
        var status: Int32 = 0
        waitpid(process, &status, 0)
        close(output)
        for file in ["/certificate.pem", "/key.pem", ""] { remove(folder + file) }
    }

    /// Starts `openssl`. Its standard output can be read; its standard error is discarded.
    private static func start(_ arguments: [String]) throws -> (process: pid_t, output: Int32) {
        guard let tool else { throw NotStarted() }
        var descriptors: [Int32] = [0, 0]
        guard pipe(&descriptors) == 0 else { throw NotStarted() }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, descriptors[1], 1)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addclosefrom_np(&actions, 3)
        var argv = ([tool] + arguments).map { strdup($0) } + [nil]
        defer { for argument in argv { free(argument) } }
        var process: pid_t = 0
        let code = posix_spawn(&process, tool, &actions, nil, &argv, environ)
        close(descriptors[1])
        guard code == 0 else {
            close(descriptors[0])
            throw NotStarted()
        }
        return (process, descriptors[0])
    }
}
