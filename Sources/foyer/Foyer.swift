import Glibc
import Surroundings

/// `foyer`: reads its arguments, builds the house, and waits for a signal.
@main struct Foyer {
    static let version = "0.1.0"

    static func main() async {
        StandardStreams.fill()
        // A client that leaves in the middle of an answer is no reason to die.
        signal(SIGPIPE, SIG_IGN)
        let signals = Signals()
        do {
            switch try Arguments.parse(CommandLine.arguments.dropFirst(), Environment.current()) {
            case .help: print(Arguments.help)
            case .version: print("foyer \(version)")
            case .serve(let options):
                let house = try await House.build(options)
                house.greet()
                await signals.first()
                await house.close()
            case .storyboard(let options):
                exit(try await StoryboardCommand(options: options).run(until: signals))
            }
        } catch let error as StartError {
            StandardOutput.complain(error.line)
            exit(2)
        } catch {
            StandardOutput.complain(StartError(error).line)
            exit(2)
        }
    }
}
