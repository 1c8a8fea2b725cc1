import CMicrohttpd
import Glibc
import Synchronization
import Web

/// How a connection ends: by its client, by the time, by our own leaving.
///
/// Called by the engine, from its own threads.
extension Connection {
    /// Ends what took too long, and notices who left a stream.
    func tick(_ now: ContinuousClock.Instant) {
        let left: AbandonedWork? = state.withLock { state in
            guard state.socket >= 0 else { return nil }
            if case .uploading(let upload, _, nil) = state.phase, upload.isSuspended {
                // The client's time stands still while nobody reads.
                state.setDeadline(within: daemon.configuration.requestDeadline)
            } else if let deadline = state.deadline, deadline <= now {
                disconnect(&state)
            }
            switch state.phase {
            case .streaming(let body):
                if body.tick(now) { shutdown(state.socket, Int32(SHUT_RDWR)) }
                return Self.hasDisconnected(state.socket) ? .response(body) : nil
            case .uploading(let upload, _, _):
                return Self.hasDisconnected(state.socket) ? .upload(upload) : nil
            case .suspended(let task, _) where state.cancelsOnDisconnect:
                return Self.hasDisconnected(state.socket) ? .task(task) : nil
            case .idle, .reading, .starting, .suspended, .ready, .sending: return nil
            }
        }
        switch left {
        case .response(let body): body.abort()
        case .upload(let upload): upload.abort()
        case .task(let task): task.cancel()
        case nil: break
        }
    }

    /// What a client left that has gone away.
    private enum AbandonedWork {
        case response(ResponseBuffer)
        case upload(UploadBuffer)
        case task(Task<Void, Never>)
    }

    /// Since when nothing is under way here; nil for one that keeps its
    /// place, and for one that is on its way out.
    var idlePeriod: IdlePeriod? { state.withLock { $0.idlePeriod } }

    /// Ends the connection unless it keeps its place by now, or is on its
    /// way out already; whether it did.
    func disconnect() -> Bool {
        state.withLock { state in
            guard state.idlePeriod != nil else { return false }
            disconnect(&state)
            return true
        }
    }

    private func disconnect(_ state: inout State) {
        state.deadline = nil
        shutdown(state.socket, Int32(SHUT_RDWR))
    }

    /// Takes no further request, and ends a stream.
    func stopAccepting() {
        let body: ResponseBuffer? = state.withLock { state in
            state.isClosing = true
            guard case .streaming(let body) = state.phase else { return nil }
            return body
        }
        body?.finish()
    }

    /// Whether an answer is still on its way.
    var isBusy: Bool {
        state.withLock { state in
            switch state.phase {
            case .idle, .reading: false
            case .uploading, .starting, .suspended, .ready, .sending, .streaming: true
            }
        }
    }

    /// Does not wait any longer for an answer: afterwards the connection is
    /// not suspended, and will not be again.
    func abortResponse() {
        let task: Task<Void, Never>? = state.withLock { state in
            state.isClosing = true
            switch state.phase {
            case .starting(let isHead):
                // `work` finds this answer, and does not suspend.
                state.phase = .ready(Problem.stopping.response, isHead: isHead)
                return nil
            case .suspended(let task, let isHead):
                state.phase = .ready(Problem.stopping.response, isHead: isHead)
                handle.resume()
                return task
            case .uploading(let upload, let isHead, let response):
                upload.discardRemaining()
                state.phase = .uploading(
                    upload, isHead: isHead, response ?? Problem.stopping.response)
                return state.uploadTask
            case .idle, .reading, .ready, .sending, .streaming: return nil
            }
        }
        task?.cancel()
        stopAccepting()
    }

    /// libmicrohttpd does not look at a suspended connection; we do.
    private static func hasDisconnected(_ socket: Int32) -> Bool {
        let events = Int16(foyer_pollrdhup)
        var look = pollfd(fd: socket, events: events, revents: 0)
        guard poll(&look, 1, 0) == 1 else { return false }
        return look.revents & (events | Int16(POLLHUP | POLLERR)) != 0
    }
}
