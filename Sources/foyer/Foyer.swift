import Core
import Dispatch
import Glibc
import HTTPServer
import Synchronization

/// The executable `foyer`: parses its arguments, builds the application, and waits for a signal.
@main struct Foyer {
    static let version = "0.1.0"

    static func main() async {
        openMissingStreams()
        // A client that disconnects in the middle of a response must not terminate the process.
        signal(SIGPIPE, SIG_IGN)
        let signals = Signals()
        do {
            switch try Arguments.parse(CommandLine.arguments.dropFirst(), Environment.current()) {
            case .help: print(Arguments.help)
            case .version: print("foyer \(version)")
            case .serve(let options):
                let application = try await Application(options)
                application.printBanner()
                await signals.waitForFirst()
                await application.close()
            case .storyboard(let options):
                exit(try await StoryboardCommand(options: options).run(until: signals))
            }
        } catch {
            StandardOutput.warn(StartError(error).message)
            exit(2)
        }
    }

    /// Opens `/dev/null` for standard streams that the parent process closed: otherwise the next
    /// file or socket gets their number, and receives output meant for the terminal.
    private static func openMissingStreams() {
        for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) == -1 && errno == EBADF {
            // open(2): "the lowest-numbered file descriptor not currently open", which is this one.
            guard open("/dev/null", O_RDWR) == descriptor else { _exit(2) }
        }
    }
}

/// The process's environment variables.
enum Environment {
    /// The variables that Foyer reads: its own, and standard locations.
    static func current() -> [String: String] {
        var variables: [String: String] = [:]
        for name in ["HOME", "XDG_DATA_HOME", "PATH", "TMPDIR"] + Arguments.environmentVariables {
            if let value = unsafe getenv(name) { variables[name] = unsafe String(cString: value) }
        }
        return variables
    }
}

/// SIGINT and SIGTERM, as an awaitable event.
///
/// A second signal during shutdown ends the process at once.
final class Signals: Sendable {
    private let stream: AsyncStream<Void>
    private let count = Mutex<UInt>(0)

    init() {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        self.stream = stream
        // Its own thread: tasks may occupy all others.
        let queue = DispatchQueue(label: "foyer.signals")
        for number in [SIGINT, SIGTERM] {
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            // The handler retains `self`, and the source exists as long as the process.
            source.setEventHandler { [self] in
                let count = count.withLock { count in
                    count += source.data
                    return count
                }
                if count > 1 { _exit(130) }
                continuation.yield()
            }
            source.resume()
        }
    }

    /// Returns when the first signal has been received.
    func waitForFirst() async { for await _ in stream { return } }
}

/// Messages to the user at the terminal.
enum StandardOutput {
    /// Writes a line to standard output, unbuffered even when it is a pipe.
    static func info(_ line: String) { queue.sync { writeAll(line + "\n", to: 1) } }

    /// Writes a line to standard error.
    static func warn(_ line: String) { queue.sync { writeAll("foyer: " + line + "\n", to: 2) } }

    /// Writes a line of progress to standard error without waiting for a slow reader.
    static func progress(_ line: String) { queue.async { writeAll(line + "\n", to: 2) } }

    /// Keeps the lines of all three in order.
    private static let queue = DispatchQueue(label: "foyer.lines")

    /// A reader that has gone is no error.
    private static func writeAll(_ text: String, to descriptor: Int32) {
        _ = FileWriting.writeAll(text.utf8, to: descriptor)
    }
}
