import Glibc
import Synchronization

/// A server on real sockets that responds with exactly the given bytes, valid or not: a replacement
/// for hostile and for real backends.
///
///     let server = try ScriptedServer { request in
///         request.target == "/slow" ? .silence : .answer(200, "{}")
///     }
///     defer { server.stop() }
///
/// One thread accepts and one serves each connection, so a reply may block.
package final class ScriptedServer: Sendable {
    package let port: UInt16
    /// `http://127.0.0.1:<port>`, without a trailing slash.
    package var url: String { "http://127.0.0.1:\(port)" }

    private let listener: Int32
    private let script: @Sendable (ScriptedRequest) -> ScriptedReply
    private let state = Mutex(State())

    private struct State {
        var requests: [ScriptedRequest] = []
        var accepted = 0
        var open: Set<Int32> = []
        var isStopped = false
        var waiters: [Waiter] = []
    }

    private struct Waiter {
        var predicate: (State) -> Bool
        var continuation: CheckedContinuation<Void, Never>
    }

    /// The system cannot create another socket or thread.
    package struct NoSocket: Error {}

    /// `script` is called for each request, on the thread of its connection.
    package init(_ script: @escaping @Sendable (ScriptedRequest) -> ScriptedReply) throws {
        guard let (listener, port) = Socket.listen() else { throw NoSocket() }
        self.listener = listener
        self.port = port
        self.script = script
        let thread = BlockingThread { [self] in accept() }
        guard thread.start() else { throw NoSocket() }
    }

    /// All requests so far, in the order of their completion.
    package var requests: [ScriptedRequest] { state.withLock { $0.requests } }

    /// Number of accepted connections.
    package var connections: Int { state.withLock { $0.accepted } }

    /// Returns when at least `count` requests have been received.
    package func received(_ count: Int = 1) async { await wait { $0.requests.count >= count } }

    /// Returns when no connection is open.
    package func idle() async { await wait { $0.open.isEmpty } }

    /// Closes every connection and stops listening.
    package func stop() {
        state.withLock { state in
            guard !state.isStopped else { return }
            state.isStopped = true
            shutdown(listener, Int32(SHUT_RDWR))
            for socket in state.open { shutdown(socket, Int32(SHUT_RDWR)) }
        }
    }

    private func wait(_ predicate: @escaping (State) -> Bool) async {
        await withCheckedContinuation { continuation in
            change { state in
                state.waiters.append(Waiter(predicate: predicate, continuation: continuation))
            }
        }
    }

    /// Changes the state and resumes the waiters whose predicate now holds.
    private func change(_ body: (inout State) -> Void) {
        let ready = state.withLock { state in
            body(&state)
            let waiters = state.waiters
            state.waiters = waiters.filter { !$0.predicate(state) }
            return waiters.filter { $0.predicate(state) }
        }
        for waiter in ready { waiter.continuation.resume() }
    }

    private func accept() {
        while true {
            let socket = Socket.accept(from: listener)
            guard socket >= 0 else {
                // A client that disconnected while it waited (accept(2)).
                if errno == EINTR || errno == ECONNABORTED { continue }
                break
            }
            let number = state.withLock { state -> Int? in
                guard !state.isStopped else { return nil }
                state.accepted += 1
                state.open.insert(socket)
                return state.accepted
            }
            guard let number else {
                close(socket)
                continue
            }
            let thread = BlockingThread { [self] in serve(socket, number) }
            if !thread.start() { end(socket) }
        }
        state.withLock { state in
            state.isStopped = true
            close(listener)
        }
    }

    private func serve(_ socket: Int32, _ number: Int) {
        var reader = ScriptedReader(socket: socket, connection: number)
        requests: while let request = reader.next() {
            change { $0.requests.append(request) }
            for step in script(request).steps {
                guard perform(step, on: socket) else { break requests }
            }
        }
        end(socket)
    }

    /// Performs one step; false if the connection is to be closed.
    private func perform(_ step: ScriptedReply.Step, on socket: Int32) -> Bool {
        switch step {
        case .send(let bytes): return Socket.send(bytes, to: socket)
        case .sendForEver(let bytes):
            while Socket.send(bytes, to: socket) {}
            return false
        case .wait(let duration):
            Socket.sleep(duration)
            return true
        case .waitForEver:
            // Until the client disconnects, or `stop` is called.
            while Socket.receive(from: socket) != nil {}
            return false
        case .reset:
            Socket.resetWhenClosed(socket)
            return false
        case .close: return false
        }
    }

    /// Closes the socket under the lock of `stop`, which would otherwise shut down the connection
    /// of another server whose descriptor has the same number by then.
    private func end(_ socket: Int32) {
        change { state in
            state.open.remove(socket)
            close(socket)
        }
    }
}
