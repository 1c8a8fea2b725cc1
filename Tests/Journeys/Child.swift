import CGlibc
import FoundationEssentials
import Glibc
import Support
import Synchronization

/// A child process with its standard output, signals and exit code.
final class Child: Sendable {
    let pid: pid_t
    private let pipe: Int32
    private let exitCode = Mutex<Int32?>(nil)

    struct NotSpawned: Error { let code: Int32 }

    /// A shell runs `preparation` and then execs foyer, which inherits the limits.
    init(_ arguments: [String], errors: String, preparation: String = ":") throws {
        var ends: [Int32] = [0, 0]
        guard Glibc.pipe(&ends) == 0 else { throw NotSpawned(code: errno) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        // Sockets of other tests would count towards the child's limit, and stay open.
        posix_spawn_file_actions_addclosefrom_np(&actions, 3)
        let script = "\(preparation); exec \"$0\" \"$@\""
        let command = ["/bin/sh", "-c", script, Self.executable] + arguments
        var pid: pid_t = 0
        let code = Self.withCStrings(command) { command in
            Self.withCStrings(Self.environment) { environment in
                posix_spawn(&pid, "/bin/sh", &actions, nil, command, environment)
            }
        }
        close(ends[1])
        guard code == 0 else {
            close(ends[0])
            throw NotSpawned(code: code)
        }
        self.pid = pid
        pipe = ends[0]
    }

    deinit {
        kill()
        var status: Int32 = 0
        if exitCode.withLock({ $0 == nil }) { waitpid(pid, &status, 0) }
        close(pipe)
    }

    /// The next chunk of standard output; nil at its end.
    func output() async -> String? {
        await BlockingThread.run { [self] in
            var bytes = [UInt8](repeating: 0, count: 4_096)
            let count = read(pipe, &bytes, bytes.count)
            return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
        }
    }

    func signal(_ number: Int32) {
        exitCode.withLock { exitCode in
            // Once reaped, the process id may belong to another process.
            if exitCode == nil { _ = Glibc.kill(pid, number) }
        }
    }

    func kill() { signal(SIGKILL) }

    /// Waits for the exit; returns the exit code, or the negated number of the signal.
    func waitForExit() async -> Int32 {
        await BlockingThread.run { [self] in
            var info = siginfo_t()
            waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT)
            return exitCode.withLock { exitCode in
                if let exitCode { return exitCode }
                var status: Int32 = 0
                waitpid(pid, &status, 0)
                let signal = status & 0x7F
                let code = signal == 0 ? (status >> 8) & 0xFF : -signal
                exitCode = code
                return code
            }
        }
    }

    /// The `foyer` binary in the build folder of the tests.
    private static let executable: String = {
        let tests = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return (tests ?? "").split(separator: "/").dropLast().reduce(into: "") { $0 += "/" + $1 }
            + "/foyer"
    }()

    /// The environment of the tests without the variables that foyer reads.
    private static let environment: [String] = ProcessInfo.processInfo.environment.filter {
        !$0.key.hasPrefix("FOYER_")
    }.map { "\($0.key)=\($0.value)" }

    private static func withCStrings<R>(
        _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> R
    ) -> R {
        let copies = strings.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return body(copies + [nil])
    }
}
