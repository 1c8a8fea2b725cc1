import Synchronization
package import Web

/// libmicrohttpd on one address: a request is suspended while Swift waits.
///
/// A responder begins on one of libmicrohttpd's two threads, on which others
/// wait for their turn, and goes on elsewhere from where it first waits. So
/// it must not block, as nothing must that is `async`.
package final class Server: Sendable {
    private let engine: Engine
    /// The stopping under way, for all who ask.
    private let stopping = Mutex<Task<Void, Never>?>(nil)

    /// Binds and starts to answer with `responder`.
    package init(_ configuration: ServerConfiguration, responder: @escaping Responder)
        throws(ServerError)
    { engine = try Engine(configuration, responder: responder) }

    /// The last owner may be a responder, on whose thread nothing may block.
    deinit { engine.stopLater() }

    /// The bound port (useful when 0 was asked for).
    package var port: UInt16 { engine.port }

    /// Answers 503 to further requests, lets what is under way finish for at
    /// most `grace`, answers 503 to what takes longer, ends streams, and stops.
    /// Asked again, it waits for the same end.
    package func stop(grace: Duration = .seconds(5)) async {
        let task = stopping.withLock { stopping in
            if let stopping { return stopping }
            let task = Task { [engine] in await Self.stop(engine, grace: grace) }
            stopping = task
            return task
        }
        await task.value
    }

    private static func stop(_ engine: Engine, grace: Duration) async {
        engine.close()
        await idle(engine, within: grace)
        engine.abandon()
        // libmicrohttpd ends connections whose answers are still to be sent.
        await idle(engine, within: .seconds(2))
        await engine.stopped()
    }

    private static func idle(_ engine: Engine, within bound: Duration) async {
        let end = ContinuousClock.now + bound
        while ContinuousClock.now < end, engine.ledger.isBusy {
            await engine.pause(milliseconds: 5)
        }
    }
}
