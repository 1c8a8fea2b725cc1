import Glibc
import Synchronization

/// A server over real sockets that answers with exactly the bytes it is told
/// to, however wrong: the stand-in for hostile and for real backends.
///
///     let server = try ScriptedServer { request in
///         request.target == "/slow" ? .silence : .answer(200, "{}")
///     }
///     defer { server.stop() }
///
/// One thread accepts and one serves each connection, so a reply may block.
package final class ScriptedServer: Sendable {
    package let port: UInt16
    /// `http://127.0.0.1:<port>`, no slash at the end.
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
        var holds: (State) -> Bool
        var wake: CheckedContinuation<Void, Never>
    }

    /// The system has no socket left.
    package struct NoSocket: Error {}

    /// `script` is called for each request, on a thread of its connection.
    package init(_ script: @escaping @Sendable (ScriptedRequest) -> ScriptedReply) throws {
        guard let (listener, port) = Socket.listen() else { throw NoSocket() }
        self.listener = listener
        self.port = port
        self.script = script
        let thread = BlockingThread { [self] in accept() }
        guard thread.start() else { throw NoSocket() }
    }

    /// Every request so far, in the order they were complete.
    package var requests: [ScriptedRequest] { state.withLock { $0.requests } }

    /// How many connections were made.
    package var connections: Int { state.withLock { $0.accepted } }

    /// Returns when at least `count` requests have come.
    package func received(_ count: Int = 1) async { await wait { $0.requests.count >= count } }

    /// Returns when every connection made has ended again.
    package func idle() async { await wait { $0.open.isEmpty } }

    /// Ends every connection and stops listening.
    package func stop() {
        let open = state.withLock { state in
            defer { state.isStopped = true }
            return state.isStopped ? nil : state.open
        }
        guard let open else { return }
        shutdown(listener, Int32(SHUT_RDWR))
        for socket in open { shutdown(socket, Int32(SHUT_RDWR)) }
    }

    private func wait(_ holds: @escaping (State) -> Bool) async {
        await withCheckedContinuation { wake in
            change { state in state.waiters.append(Waiter(holds: holds, wake: wake)) }
        }
    }

    /// Changes the state and wakes those who waited for it.
    private func change(_ body: (inout State) -> Void) {
        let woken = state.withLock { state in
            body(&state)
            let waiters = state.waiters
            state.waiters = waiters.filter { !$0.holds(state) }
            return waiters.filter { $0.holds(state) }
        }
        for waiter in woken { waiter.wake.resume() }
    }

    private func accept() {
        while true {
            let socket = Socket.accept(from: listener)
            guard socket >= 0 else {
                if errno == EINTR { continue }
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
        close(listener)
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

    /// False ends the connection.
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
            // Until the other side leaves, or `stop`.
            while Socket.receive(from: socket) != nil {}
            return false
        case .reset:
            Socket.resetWhenClosed(socket)
            return false
        case .close: return false
        }
    }

    /// Closes under the lock, so that `stop` never meets the number of a
    /// socket that is somebody else's by then.
    private func end(_ socket: Int32) {
        change { state in
            state.open.remove(socket)
            close(socket)
        }
    }
}
