import Synchronization
package import Web

/// libmicrohttpd on one address: a request is suspended while Swift waits.
///
/// A responder begins on one of libmicrohttpd's two threads, on which others
/// wait for their turn, and goes on elsewhere from where it first waits. So
/// it must not block, as nothing must that is `async`.
package final class Server: Sendable {
    private let daemon: Daemon
    /// The stopping under way, for all who ask.
    private let stopTask = Mutex<Task<Void, Never>?>(nil)

    /// Binds and starts to answer with `responder`.
    package init(_ configuration: ServerConfiguration, responder: @escaping Responder)
        throws(ServerError)
    { daemon = try Daemon(configuration, responder: responder) }

    /// The last owner may be a responder, on whose thread nothing may block.
    deinit { daemon.scheduleStop() }

    /// The bound port (useful when 0 was asked for).
    package var port: UInt16 { daemon.port }

    /// Answers 503 to further requests, lets what is under way finish for at
    /// most `grace`, answers 503 to what takes longer, ends streams, and stops.
    /// Asked again, it waits for the same end.
    package func stop(grace: Duration = .seconds(5)) async {
        let task = stopTask.withLock { stopping in
            if let stopping { return stopping }
            let task = Task { [daemon] in await Self.stop(daemon, grace: grace) }
            stopping = task
            return task
        }
        await task.value
    }

    private static func stop(_ daemon: Daemon, grace: Duration) async {
        daemon.stopAccepting()
        await waitUntilIdle(daemon, within: grace)
        daemon.abortResponses()
        // libmicrohttpd ends connections whose answers are still to be sent.
        await waitUntilIdle(daemon, within: .seconds(2))
        await daemon.stopAndWait()
    }

    private static func waitUntilIdle(_ daemon: Daemon, within bound: Duration) async {
        let end = ContinuousClock.now + bound
        while ContinuousClock.now < end, daemon.connectionRegistry.isBusy {
            await daemon.sleep(milliseconds: 5)
        }
    }
}
