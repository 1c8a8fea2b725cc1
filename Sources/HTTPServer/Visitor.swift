import CMicrohttpd
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
            State(socket: wire.socket, deadline: .now + engine.configuration.requestDeadline))
    }

    // MARK: From libmicrohttpd's threads

    /// The request line is there.
    func begin(target: String, isMarked: Bool) {
        state.withLock { state in
            state.number += 1
            state.phase = .reading(Incoming(target: target, isMarked: isMarked))
            state.expect(within: engine.configuration.requestDeadline)
        }
    }

    /// A piece of the body is there; false ends the connection.
    func gather(_ piece: UnsafeRawBufferPointer) -> Bool {
        state.withLock { state in
            if case .uploading(let upload, _, let response) = state.phase {
                if response == nil { state.earn(piece.count, engine.configuration) }
                return upload.take(piece)
            }
            guard case .reading(var incoming) = state.phase else { return true }
            // Or the array would have two owners and be copied each time.
            state.phase = .waiting
            defer { state.phase = .reading(incoming) }
            return incoming.add(body: piece)
        }
    }

    /// The headers are there, or the whole request is, or the answer.
    func advance(_ line: RequestLine) -> MHD_Result {
        let step: Step = state.withLock { state in
            switch state.phase {
            case .reading(var incoming):
                let isComplete = incoming.hasHeaders
                if !isComplete { readHeaders(after: line, into: &incoming) }
                // Any of these may last, whether its body does or its answer.
                if incoming.refusal == nil, incoming.isFollowed, !reserveStream(&state) {
                    incoming.refusal = .tooManyStreams
                }
                if let refusal = incoming.refusal {
                    state.phase = .answering
                    return .refuse(incoming, refusal)
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
            case .waiting, .starting, .working, .answering, .streaming: return .wait
            }
        }
        switch step {
        case .wait: return .YES
        case .queue(let response, let isHead): return queue(response, isHead: isHead)
        case .refuse(let incoming, let refusal):
            return queue(
                engine.configuration.refuse(refusal, request(incoming)),
                isHead: incoming.method == "HEAD")
        case .work(let incoming, let number): return work(on: incoming, number)
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
    private func stream(_ incoming: Incoming, _ framing: Framing, _ state: inout State) -> Step {
        var length: Int?
        if case .length(let bytes) = framing { length = bytes }
        let upload = Upload(wire: wire, length: length, bound: engine.configuration.streamBuffer)
        state.phase = .uploading(upload, isHead: incoming.method == "HEAD", nil)
        state.expect(within: engine.configuration.requestDeadline)
        return .stream(incoming, upload, number: state.number)
    }

    /// The upload is whole: its answer goes out, or is waited for.
    private func finish(
        _ upload: Upload, _ isHead: Bool, _ response: Response?, _ state: inout State
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

    /// Counts it among the streams, until the request is over; false if there
    /// are too many.
    func reserveStream(_ state: inout State) -> Bool {
        if !state.isStream { state.isStream = engine.ledger.reserveStream() }
        return state.isStream
    }

    /// The answer is out, or the connection broke.
    func complete() {
        let (phase, task) = state.withLock { state in
            defer {
                if state.isStream { engine.ledger.releaseStream() }
                state.isStream = false
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
        case .streaming(let body): body.abandon()
        case .uploading(let upload, _, let response):
            upload.abandon()
            task?.cancel()
            response?.discard()
        case .ready(let response, _): response.discard()
        case .waiting, .reading, .starting, .working, .answering: break
        }
    }

    /// From here on the socket is somebody else's.
    func closed() {
        state.withLock { state in
            state.socket = -1
            state.deadline = nil
        }
    }

    // MARK: Inside

    private func readHeaders(after line: RequestLine, into incoming: inout Incoming) {
        incoming.begin(line)
        withUnsafeMutablePointer(to: &incoming) {
            _ = MHD_get_connection_values_n(wire.pointer, .HEADER_KIND, headerFound, $0)
        }
        incoming.finishHeaders(
            size: wire.headerSize, limits: engine.configuration, places: engine.filePlaces)
    }

    /// Starts the task on this thread, and suspends if it has to wait: most
    /// pages need not, and cost neither a suspension nor a change of threads.
    private func work(on incoming: Incoming, _ number: Int) -> MHD_Result {
        let request = request(incoming)
        let task = Task.immediate { [self, place = incoming.place] in
            answer(await engine.responder(request), to: number)
            // A large body is given up with its task, not with its client.
            withExtendedLifetime(place) {}
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
            case .waiting, .reading, .uploading, .working, .answering, .streaming: return nil
            }
        }
        guard let ready else { return .YES }
        task.cancel()
        return queue(ready.0, isHead: ready.isHead)
    }

    private func request(_ incoming: Incoming, _ upload: Inflow? = nil) -> Request {
        Request(
            method: Method(rawValue: incoming.method), target: incoming.target,
            headers: incoming.headers, body: incoming.body, upload: upload, peer: peer)
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
                state.expect(within: engine.configuration.answeredDeadline)
                return (true, upload)
            case .waiting, .reading, .uploading, .ready, .answering, .streaming: return (false, nil)
            }
        }
        if !isTaken { response.discard() }
        // libmicrohttpd takes no answer in the middle of a body.
        upload?.ignore()
    }
}
