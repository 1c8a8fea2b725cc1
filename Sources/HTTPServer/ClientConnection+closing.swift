import CMicrohttpd
import Glibc
import Synchronization
import Web

/// Ways a connection ends: its client disconnects, a deadline passes, or the server stops.
///
/// The daemon calls these from its own threads.
extension ClientConnection {
    /// Closes the connection after its deadline, and detects that the client of a stream or a
    /// suspended request has disconnected.
    func tick(_ now: ContinuousClock.Instant) {
        let abandon: (@Sendable () -> Void)? = state.withLock { state in
            guard state.socket >= 0 else { return nil }
            if case .uploading(let upload, nil) = state.phase, upload.isSuspended {
                // The client's time does not run while the body's reader is the bottleneck.
                state.setDeadline(within: daemon.configuration.requestDeadline)
            } else if let deadline = state.deadline, deadline <= now {
                disconnect(&state)
            }
            let abandon: @Sendable () -> Void
            switch state.phase {
            case .streaming(let body):
                if body.tick(now) { shutdown(state.socket, Int32(SHUT_RDWR)) }
                abandon = { body.abort() }
            case .uploading(let upload, _): abandon = { upload.abort() }
            case .suspended(let task) where state.cancelsOnDisconnect: abandon = { task.cancel() }
            case .idle, .reading, .starting, .suspended, .continuing, .ready, .sending: return nil
            }
            return Self.hasDisconnected(state.socket) ? abandon : nil
        }
        abandon?()
    }

    /// How long the connection has been idle; nil if it may not be evicted or is already closing.
    var idlePeriod: IdlePeriod? { state.withLock { $0.idlePeriod } }

    /// Closes the connection unless it may no longer be evicted or is already closing; returns
    /// whether it did.
    func disconnect() -> Bool {
        state.withLock { state in
            guard state.idlePeriod != nil else { return false }
            disconnect(&state)
            return true
        }
    }

    func disconnect(_ state: inout State) {
        state.deadline = nil
        shutdown(state.socket, Int32(SHUT_RDWR))
    }

    /// Accepts no further request, and ends a stream.
    func stopAccepting() {
        let body: ResponseBuffer? = state.withLock { state in
            state.isClosing = true
            guard case .streaming(let body) = state.phase else { return nil }
            return body
        }
        body?.finish()
    }

    /// Whether a response is still pending.
    var isBusy: Bool {
        state.withLock { state in
            switch state.phase {
            case .idle, .reading: false
            case .uploading, .starting, .suspended, .continuing, .ready, .sending, .streaming:
                true
            }
        }
    }

    /// Stops waiting for a response: afterwards the connection is not suspended, and will not be
    /// again.
    func abortResponse() {
        let task: Task<Void, Never>? = state.withLock { state in
            state.isClosing = true
            switch state.phase {
            case .starting:
                // `startResponder` finds this response, and does not suspend.
                state.phase = .ready(Problem.stopping.response)
                return nil
            case .suspended(let task):
                state.phase = .ready(Problem.stopping.response)
                handle.resume()
                return task
            case .continuing(let task, let job):
                state.phase = .ready(Problem.stopping.response)
                globalConcurrentExecutor.enqueue(job)
                return task
            case .uploading(let upload, let response):
                upload.discardRemaining()
                state.phase = .uploading(upload, response ?? Problem.stopping.response)
                return state.uploadTask
            case .idle, .reading, .ready, .sending, .streaming: return nil
            }
        }
        task?.cancel()
        stopAccepting()
    }

    /// libmicrohttpd does not poll a suspended connection.
    private static func hasDisconnected(_ socket: Int32) -> Bool {
        let events = Int16(foyer_pollrdhup)
        var pollEntry = pollfd(fd: socket, events: events, revents: 0)
        guard poll(&pollEntry, 1, 0) == 1 else { return false }
        return pollEntry.revents & (events | Int16(POLLHUP | POLLERR)) != 0
    }
}
