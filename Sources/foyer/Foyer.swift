import Core
import Glibc

/// `foyer`: reads its arguments, builds the house, and waits for a signal.
@main struct Foyer {
    static let version = "0.1.0"

    static func main() async {
        StandardStreams.openMissing()
        // A client that leaves in the middle of an answer is no reason to die.
        signal(SIGPIPE, SIG_IGN)
        let signals = Signals()
        do {
            switch try Arguments.parse(CommandLine.arguments.dropFirst(), Environment.current()) {
            case .help: print(Arguments.help)
            case .version: print("foyer \(version)")
            case .serve(let options):
                let fixture = try await Application.build(options)
                fixture.printBanner()
                await signals.waitForFirst()
                await fixture.close()
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
