import Dispatch
import FoundationEssentials
import Glibc
import Synchronization

/// The built `foyer`, started as a process of its own on free ports.
///
///     let foyer = try await FoyerProcess.start(in: Scratch())
///     foyer.kill()
///
/// Ended with SIGKILL when nobody holds it any more.
final class FoyerProcess: Sendable {
    let port: UInt16
    let backendPort: UInt16
    let key: String
    let scratch: TemporaryDirectory

    private let child: Child

    /// It ended before it greeted.
    struct NotStarted: Error { let outcome: Outcome }

    /// How a process ended.
    struct Outcome: Sendable, Equatable {
        /// The exit code, or minus the signal's number.
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

    /// Starts it, with further `arguments`, and waits for its greeting.
    ///
    /// `preparation` is what a shell does before it becomes foyer.
    static func start(
        in scratch: TemporaryDirectory, _ arguments: [String] = [], preparation: String = ":"
    )
        async throws -> FoyerProcess
    {
        let child = try Child(
            ["--port", "0", "--backend-port", "0", "--data", scratch.data] + arguments,
            errors: scratch.errors, preparation: preparation)
        var greeting = ""
        while !greeting.contains("embedded backend: ") || !greeting.hasSuffix("\n") {
            guard let more = await child.output() else {
                throw NotStarted(
                    outcome: Outcome(
                        code: await child.end(), output: greeting,
                        errors: scratch.read(scratch.errors)))
            }
            greeting += more
        }
        let key = text(in: greeting, from: "?key=", to: "\n")
        let port = text(in: greeting, from: "Foyer: http://127.0.0.1:", to: "/")
        let backend = text(in: greeting, from: "embedded backend: http://127.0.0.1:", to: "\n")
        guard let port = UInt16(port), let backend = UInt16(backend) else {
            child.kill()
            throw NotStarted(outcome: Outcome(code: -1, output: greeting, errors: ""))
        }
        return FoyerProcess(
            port: port, backendPort: backend, key: key, scratch: scratch, child: child)
    }

    /// Runs it to its end with exactly these arguments.
    static func run(
        _ arguments: [String], in scratch: TemporaryDirectory, preparation: String = ":"
    )
        async throws -> Outcome
    {
        let child = try Child(arguments, errors: scratch.errors, preparation: preparation)
        var output = ""
        while let more = await child.output() { output += more }
        return Outcome(
            code: await child.end(), output: output, errors: scratch.read(scratch.errors))
    }

    /// A client of the console.
    func visitor() throws -> TestBrowser { try TestBrowser(port: port, key: key) }

    /// SIGKILL, and waits until it is gone.
    func kill() async {
        child.kill()
        _ = await child.end()
    }

    func signal(_ number: Int32) { child.signal(number) }

    var pid: pid_t { child.pid }

    /// SIGTERM; the exit code.
    func stop() async -> Int32 {
        child.signal(SIGTERM)
        return await child.end()
    }

    private static func text(in whole: String, from start: String, to end: Character) -> String {
        guard let from = whole.firstRange(of: start)?.upperBound else { return "" }
        return String(whole[from...].prefix { $0 != end })
    }
}
