import Core
import Glibc

/// The executable `foyer`: parses its arguments, builds the application, and waits for a signal.
@main struct Foyer {
    static let version = "0.1.0"

    static func main() async {
        StandardStreams.openMissing()
        // A client that disconnects in the middle of a response must not terminate the process.
        signal(SIGPIPE, SIG_IGN)
        let signals = Signals()
        do {
            switch try Arguments.parse(CommandLine.arguments.dropFirst(), Environment.current()) {
            case .help: print(Arguments.help)
            case .version: print("foyer \(version)")
            case .serve(let options):
                let application = try await Application.build(options)
                application.printBanner()
                await signals.waitForFirst()
                await application.close()
            case .storyboard(let options):
                exit(try await StoryboardCommand(options: options).run(until: signals))
            }
        } catch let error as StartError {
            StandardOutput.warn(error.message)
            exit(2)
        } catch {
            StandardOutput.warn(StartError(error).message)
            exit(2)
        }
    }
}
