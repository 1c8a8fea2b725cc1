import Dispatch
import FoundationEssentials
import Glibc
import Synchronization

/// A running process of the built `foyer`, on free ports.
///
///     let foyer = try await FoyerProcess.start(in: TemporaryDirectory())
///     await foyer.kill()
///
/// Deinitialization sends SIGKILL.
final class FoyerProcess: Sendable {
    let port: UInt16
    let backendPort: UInt16
    let key: String
    let scratch: TemporaryDirectory

    private let child: Child

    /// The process exited before it printed its banner.
    struct NotStarted: Error { let outcome: Outcome }

    /// The exit code and the output of a process.
    struct Outcome: Sendable, Equatable {
        /// The exit code, or the negated number of the signal.
        var code: Int32
        var output: String
        var errors: String
    }

    private init(
        port: UInt16, backendPort: UInt16, key: String, scratch: TemporaryDirectory, child: Child
    ) {
        self.port = port
        self.backendPort = backendPort
        self.key = key
        self.scratch = scratch
        self.child = child
    }

    deinit { child.kill() }

    /// Starts foyer with additional `arguments` and waits for its banner.
    ///
    /// A shell runs `preparation` before it execs foyer.
    static func start(
        in scratch: TemporaryDirectory, _ arguments: [String] = [], preparation: String = ":"
    )
        async throws -> FoyerProcess
    {
        let child = try Child(
            ["--port", "0", "--backend-port", "0", "--data", scratch.data] + arguments,
            errors: scratch.errors, preparation: preparation)
        var banner = ""
        while !banner.contains("embedded backend: ") || !banner.hasSuffix("\n") {
            guard let chunk = await child.output() else {
                throw NotStarted(
                    outcome: Outcome(
                        code: await child.waitForExit(), output: banner,
                        errors: scratch.read(scratch.errors)))
            }
            banner += chunk
        }
        let key = text(in: banner, from: "?key=", to: "\n")
        let port = text(in: banner, from: "Foyer: http://127.0.0.1:", to: "/")
        let backend = text(in: banner, from: "embedded backend: http://127.0.0.1:", to: "\n")
        guard let port = UInt16(port), let backend = UInt16(backend) else {
            child.kill()
            throw NotStarted(outcome: Outcome(code: -1, output: banner, errors: ""))
        }
        return FoyerProcess(
            port: port, backendPort: backend, key: key, scratch: scratch, child: child)
    }

    /// Runs foyer with exactly these arguments until it exits.
    static func run(
        _ arguments: [String], in scratch: TemporaryDirectory, preparation: String = ":"
    )
        async throws -> Outcome
    {
        let child = try Child(arguments, errors: scratch.errors, preparation: preparation)
        var output = ""
        while let chunk = await child.output() { output += chunk }
        return Outcome(
            code: await child.waitForExit(), output: output, errors: scratch.read(scratch.errors))
    }

    /// A client of the console, authenticated with its key.
    func browser() throws -> TestBrowser { try TestBrowser(port: port, key: key) }

    /// Sends SIGKILL and waits for the exit.
    func kill() async {
        child.kill()
        _ = await child.waitForExit()
    }

    func signal(_ number: Int32) { child.signal(number) }

    var pid: pid_t { child.pid }

    /// Sends SIGTERM; returns the exit code.
    func stop() async -> Int32 {
        child.signal(SIGTERM)
        return await child.waitForExit()
    }

    private static func text(in text: String, from start: String, to end: Character) -> String {
        guard let from = text.firstRange(of: start)?.upperBound else { return "" }
        return String(text[from...].prefix { $0 != end })
    }
}
