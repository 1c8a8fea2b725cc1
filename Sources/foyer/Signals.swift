import Dispatch
import Glibc

/// SIGINT and SIGTERM, as something one can wait for.
///
/// A second signal while the house is closing ends the process at once.
final class Signals: Sendable {
    private let stream: AsyncStream<Void>

    init() {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        self.stream = stream
        for number in [SIGINT, SIGTERM] {
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number)
            // The source lives as long as the process.
            source.setEventHandler {
                _ = source
                if case .terminated = continuation.yield() { _exit(130) }
            }
            source.resume()
        }
    }

    /// Returns when the first signal has come.
    func first() async {
        for await _ in stream { return }
    }
}
