import CMicrohttpd
import Glibc
import Synchronization
import Web

/// How a connection ends: by its client, by the time, by our own leaving.
///
/// Called by the engine, from its own threads.
extension Visitor {
    /// Ends what took too long, and notices who left a stream.
    func tick(_ now: ContinuousClock.Instant) {
        let left: Left? = state.withLock { state in
            guard state.socket >= 0 else { return nil }
            if case .uploading(let upload, _, nil) = state.phase, upload.isHeld {
                // The client's time stands still while nobody reads.
                state.expect(within: engine.configuration.requestDeadline)
            } else if let deadline = state.deadline, deadline <= now {
                sendAway(&state)
            }
            switch state.phase {
            case .streaming(let body):
                if body.tick(now) { shutdown(state.socket, Int32(SHUT_RDWR)) }
                return Self.hasLeft(state.socket) ? .stream(body) : nil
            case .uploading(let upload, _, _):
                return Self.hasLeft(state.socket) ? .upload(upload) : nil
            case .working(let task, _) where state.isFollowed:
                return Self.hasLeft(state.socket) ? .wait(task) : nil
            case .waiting, .reading, .starting, .working, .ready, .answering: return nil
            }
        }
        switch left {
        case .stream(let body): body.abandon()
        case .upload(let upload): upload.abandon()
        case .wait(let task): task.cancel()
        case nil: break
        }
    }

    /// What a client left that has gone away.
    private enum Left {
        case stream(StreamBody)
        case upload(Upload)
        case wait(Task<Void, Never>)
    }

    /// Since when nothing is under way here; nil for one that keeps its
    /// place, and for one that is on its way out.
    var silence: Silence? { state.withLock { $0.silence } }

    /// Ends the connection unless it keeps its place by now, or is on its
    /// way out already; whether it did.
    func sendAway() -> Bool {
        state.withLock { state in
            guard state.silence != nil else { return false }
            sendAway(&state)
            return true
        }
    }

    private func sendAway(_ state: inout State) {
        state.deadline = nil
        shutdown(state.socket, Int32(SHUT_RDWR))
    }

    /// Takes no further request, and ends a stream.
    func close() {
        let body: StreamBody? = state.withLock { state in
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
            case .waiting, .reading: false
            case .uploading, .starting, .working, .ready, .answering, .streaming: true
            }
        }
    }

    /// Does not wait any longer for an answer: afterwards the connection is
    /// not suspended, and will not be again.
    func abandon() {
        let task: Task<Void, Never>? = state.withLock { state in
            state.isClosing = true
            switch state.phase {
            case .starting(let isHead):
                // `work` finds this answer, and does not suspend.
                state.phase = .ready(Problem.stopping.response, isHead: isHead)
                return nil
            case .working(let task, let isHead):
                state.phase = .ready(Problem.stopping.response, isHead: isHead)
                wire.resume()
                return task
            case .uploading(let upload, let isHead, let response):
                upload.ignore()
                state.phase = .uploading(
                    upload, isHead: isHead, response ?? Problem.stopping.response)
                return state.task
            case .waiting, .reading, .ready, .answering, .streaming: return nil
            }
        }
        task?.cancel()
        close()
    }

    /// libmicrohttpd does not look at a suspended connection; we do.
    private static func hasLeft(_ socket: Int32) -> Bool {
        let events = Int16(foyer_pollrdhup)
        var look = pollfd(fd: socket, events: events, revents: 0)
        guard poll(&look, 1, 0) == 1 else { return false }
        return look.revents & (events | Int16(POLLHUP | POLLERR)) != 0
    }
}
