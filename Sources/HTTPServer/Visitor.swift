import CMicrohttpd
import Glibc
import Synchronization
import Web

/// One connection, from accept to close, and the request on it.
///
/// libmicrohttpd's threads bring requests, tasks bring answers, the engine's
/// timer looks at the time; `state` decides what each may do. Suspending and
/// resuming happen under its lock, so that they come in pairs.
final class Visitor: Sendable {
    let wire: Wire
    private let peer: String
    let engine: Engine
    let state: Mutex<State>

    init(wire: Wire, engine: Engine) {
        self.wire = wire
        self.engine = engine
        peer = wire.peer
        state = Mutex(
            State(
                socket: wire.socket,
                deadline: .now + engine.configuration.requestDeadline))
    }

    // MARK: From libmicrohttpd's threads

    /// The request line is there.
    func begin(target: String) {
        state.withLock { state in
            state.number += 1
            state.phase = .reading(Incoming(target: target))
            state.expect(within: engine.configuration.requestDeadline)
        }
    }

    /// A piece of the body is there; false ends the connection.
    func gather(_ piece: UnsafeRawBufferPointer) -> Bool {
        state.withLock { state in
            if case .uploading(let upload, _, _) = state.phase {
                state.expect(within: engine.configuration.requestDeadline)
                return upload.take(piece)
            }
            guard case .reading(var incoming) = state.phase else {
                return true
            }
            // Or the array would have two owners and be copied each time.
            state.phase = .waiting
            defer { state.phase = .reading(incoming) }
            return incoming.add(
                body: piece, limit: engine.configuration.bodyLimit)
        }
    }

    /// The headers are there, or the whole request is, or the answer.
    func advance(_ line: RequestLine) -> MHD_Result {
        let step: Step = state.withLock { state in
            switch state.phase {
            case .reading(var incoming):
                let isComplete = incoming.hasHeaders
                if !isComplete { readHeaders(after: line, into: &incoming) }
                if let refusal = incoming.refusal {
                    state.phase = .answering
                    return .queue(
                        refusal.response, isHead: incoming.method == "HEAD")
                }
                state.isFollowed = incoming.isFollowed
                guard isComplete else {
                    if let framing = incoming.upload, !state.isClosing {
                        return stream(incoming, framing, &state)
                    }
                    state.phase = .reading(incoming)
                    return .wait
                }
                state.deadline = nil
                guard !state.isClosing else {
                    state.phase = .answering
                    return .queue(Problem.stopping.response, isHead: false)
                }
                state.phase = .starting(isHead: incoming.method == "HEAD")
                return .work(incoming, number: state.number)
            case .ready(let response, let isHead):
                state.phase = .answering
                return .queue(response, isHead: isHead)
            case .uploading(let upload, let isHead, let response):
                return finish(upload, isHead, response, &state)
            case .waiting, .starting, .working, .answering, .streaming:
                return .wait
            }
        }
        switch step {
        case .wait: return .YES
        case .queue(let response, let isHead):
            return queue(response, isHead: isHead)
        case .work(let incoming, let number):
            return work(on: incoming, number)
        case .stream(let incoming, let upload, let number):
            let task = Task.immediate { [self] in
                let request = request(incoming, upload.inflow)
                answer(await engine.responder(request), to: number)
            }
            state.withLock { $0.task = task }
            return .YES
        }
    }

    /// Hands the request over before its body is there.
    private func stream(
        _ incoming: Incoming, _ framing: Framing, _ state: inout State
    ) -> Step {
        var length: Int?
        if case .length(let bytes) = framing { length = bytes }
        let upload = Upload(
            wire: wire, length: length,
            bound: engine.configuration.streamBuffer)
        state.phase = .uploading(
            upload, isHead: incoming.method == "HEAD", nil)
        state.expect(within: engine.configuration.requestDeadline)
        return .stream(incoming, upload, number: state.number)
    }

    /// The upload is whole: its answer goes out, or is waited for.
    private func finish(
        _ upload: Upload, _ isHead: Bool, _ response: Response?,
        _ state: inout State
    ) -> Step {
        upload.finish()
        state.deadline = nil
        if let response {
            state.phase = .answering
            return .queue(response, isHead: isHead)
        }
        guard let task = state.task else { return .wait }
        wire.suspend()
        state.phase = .working(task, isHead: isHead)
        return .wait
    }

    /// The answer is out, or the connection broke.
    func complete() {
        let (phase, task) = state.withLock { state in
            defer {
                state.phase = .waiting
                state.task = nil
                state.isFollowed = false
                state.expect(
                    within: .seconds(engine.configuration.idleTimeout)
                        + engine.configuration.requestDeadline)
            }
            return (state.phase, state.task)
        }
        switch phase {
        case .streaming(let body):
            body.abandon()
            engine.ledger.releaseStream()
        case .uploading(let upload, _, let response):
            upload.abandon()
            task?.cancel()
            response?.discard()
        case .ready(let response, _):
            response.discard()
        case .waiting, .reading, .starting, .working, .answering:
            break
        }
    }

    /// From here on the socket is somebody else's.
    func closed() {
        state.withLock { state in
            state.socket = -1
            state.deadline = nil
        }
    }

    // MARK: From elsewhere

    /// Ends what took too long, and notices who left a stream.
    func tick(_ now: ContinuousClock.Instant) {
        let left: Left? = state.withLock { state in
            guard state.socket >= 0 else { return nil }
            if let deadline = state.deadline, deadline <= now {
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
            case .waiting, .reading, .starting, .working, .ready, .answering:
                return nil
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
    var silentSince: ContinuousClock.Instant? {
        state.withLock { $0.silentSince }
    }

    /// Ends the connection unless it keeps its place by now, or is on its
    /// way out already; whether it did.
    func sendAway() -> Bool {
        state.withLock { state in
            guard state.silentSince != nil else { return false }
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
            case .uploading, .starting, .working, .ready, .answering,
                .streaming:
                true
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
                state.phase = .ready(
                    Problem.stopping.response, isHead: isHead)
                return nil
            case .working(let task, let isHead):
                state.phase = .ready(
                    Problem.stopping.response, isHead: isHead)
                wire.resume()
                return task
            case .uploading(let upload, let isHead, let response):
                upload.ignore()
                state.phase = .uploading(
                    upload, isHead: isHead,
                    response ?? Problem.stopping.response)
                return state.task
            case .waiting, .reading, .ready, .answering, .streaming:
                return nil
            }
        }
        task?.cancel()
        close()
    }

    // MARK: Inside

    private func readHeaders(
        after line: RequestLine, into incoming: inout Incoming
    ) {
        incoming.begin(line)
        withUnsafeMutablePointer(to: &incoming) {
            _ = MHD_get_connection_values_n(
                wire.pointer, .HEADER_KIND, headerFound, $0)
        }
        incoming.finishHeaders(
            size: wire.headerSize, limits: engine.configuration)
    }

    /// Starts the task on this thread, and suspends if it has to wait: most
    /// pages need not, and cost neither a suspension nor a change of threads.
    private func work(on incoming: Incoming, _ number: Int) -> MHD_Result {
        let request = request(incoming)
        let task = Task.immediate { [self] in
            answer(await engine.responder(request), to: number)
        }
        let ready: (Response, isHead: Bool)? = state.withLock { state in
            switch state.phase {
            case .ready(let response, let isHead):
                state.phase = .answering
                return (response, isHead)
            case .starting(let isHead):
                // Under the lock, which the task needs to answer: so that
                // neither an answer nor an end comes in between.
                wire.suspend()
                state.phase = .working(task, isHead: isHead)
                return nil
            case .waiting, .reading, .uploading, .working, .answering,
                .streaming:
                return nil
            }
        }
        guard let ready else { return .YES }
        task.cancel()
        return queue(ready.0, isHead: ready.isHead)
    }

    private func request(
        _ incoming: Incoming, _ upload: Inflow? = nil
    ) -> Request {
        Request(
            method: Method(rawValue: incoming.method),
            target: incoming.target, headers: incoming.headers,
            body: incoming.body, upload: upload, peer: peer)
    }

    private func answer(_ response: Response, to number: Int) {
        let (isTaken, upload): (Bool, Upload?) = state.withLock { state in
            guard state.number == number else { return (false, nil) }
            var response = response
            if state.isClosing { response.headers["Connection"] = "close" }
            switch state.phase {
            case .starting(let isHead):
                state.phase = .ready(response, isHead: isHead)
                return (true, nil)
            case .working(_, let isHead):
                state.phase = .ready(response, isHead: isHead)
                wire.resume()
                return (true, nil)
            case .uploading(let upload, let isHead, nil):
                state.phase = .uploading(upload, isHead: isHead, response)
                return (true, upload)
            case .waiting, .reading, .uploading, .ready, .answering,
                .streaming:
                return (false, nil)
            }
        }
        if !isTaken { response.discard() }
        // libmicrohttpd takes no answer in the middle of a body.
        upload?.ignore()
    }

    /// libmicrohttpd does not look at a suspended connection; we do.
    private static func hasLeft(_ socket: Int32) -> Bool {
        let events = Int16(foyer_pollrdhup)
        var look = pollfd(fd: socket, events: events, revents: 0)
        guard poll(&look, 1, 0) == 1 else { return false }
        return look.revents & (events | Int16(POLLHUP | POLLERR)) != 0
    }
}
