import Dispatch
import Glibc
import Synchronization

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
