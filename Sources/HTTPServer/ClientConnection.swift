import CMicrohttpd
import Synchronization
import Web

/// One connection, from accept to close, and the request on it.
///
/// libmicrohttpd's threads deliver requests, tasks deliver responses, and the daemon's timer checks
/// deadlines; `state` decides what each may do. Suspending and resuming happen under its lock, so
/// that they are paired.
final class ClientConnection: Sendable {
    let handle: ConnectionHandle
    private let peer: String
    let daemon: Daemon
    let state: Mutex<State>

    init(handle: ConnectionHandle, daemon: Daemon) {
        self.handle = handle
        self.daemon = daemon
        peer = handle.peer
        state = Mutex(
            State(socket: handle.socket, deadline: .now + daemon.configuration.requestDeadline))
    }

    // MARK: From libmicrohttpd's threads

    /// Called when the request line is complete.
    func begin(target: String, hasMarkerField: Bool) {
        state.withLock { state in
            state.requestNumber += 1
            state.phase = .reading(PendingRequest(target: target, hasMarkerField: hasMarkerField))
            state.setDeadline(within: daemon.configuration.requestDeadline)
        }
    }

    /// Receives a chunk of the body; false closes the connection.
    func receiveBody(_ chunk: UnsafeRawBufferPointer) -> Bool {
        state.withLock { state in
            if case .uploading(let upload, let response) = state.phase {
                if response == nil { state.extendDeadline(chunk.count, daemon.configuration) }
                return upload.receive(chunk)
            }
            guard case .reading(var incoming) = state.phase else { return true }
            // Otherwise the array would have two owners and be copied each time.
            state.phase = .idle
            defer { state.phase = .reading(incoming) }
            return incoming.append(body: chunk)
        }
    }

    /// Called when the headers, the complete request or the response are available.
    func advance(_ line: RequestLine) -> MHD_Result {
        let step: Step = state.withLock { state in
            switch state.phase {
            case .reading(var incoming):
                let isComplete = incoming.hasHeaders
                if !isComplete { readHeaders(after: line, into: &incoming) }
                state.isHead = incoming.method == "HEAD"
                // Uploads, streams and event streams count against the limit of streams.
                if incoming.refusal == nil, incoming.cancelsOnDisconnect, !reserveStream(&state) {
                    incoming.refusal = .tooManyStreams
                }
                if let refusal = incoming.refusal {
                    state.phase = .sending
                    return .refuse(incoming, refusal)
                }
                state.cancelsOnDisconnect = incoming.cancelsOnDisconnect
                guard isComplete else {
                    if let framing = incoming.uploadFraming, !state.isClosing {
                        return startUpload(incoming, framing, &state)
                    }
                    state.phase = .reading(incoming)
                    return .wait
                }
                state.deadline = nil
                guard !state.isClosing else {
                    state.phase = .sending
                    return .queue(Problem.stopping.response)
                }
                state.phase = .starting
                return .startResponder(incoming, number: state.requestNumber)
            case .ready(let response):
                state.phase = .sending
                return .queue(response)
            case .continuing(let task, let job):
                state.phase = .starting
                return .continueTask(task, job)
            case .uploading(let upload, let response): return finishUpload(upload, response, &state)
            case .idle, .starting, .suspended, .sending, .streaming: return .wait
            }
        }
        switch step {
        case .wait: return .YES
        case .queue(let response): return queue(response)
        case .refuse(let incoming, let refusal):
            return queue(daemon.configuration.makeRejectionResponse(refusal, makeRequest(incoming)))
        case .startResponder(let incoming, let number): return startResponder(on: incoming, number)
        case .continueTask(let task, let job):
            job.runSynchronously(on: asUnownedTaskExecutor())
            return queueResponse(of: task)
        case .startUpload(let incoming, let upload, let number):
            let task = Task.immediate { [self] in
                let request = makeRequest(incoming, upload.bodyStream)
                deliver(await daemon.responder(request), to: number)
            }
            state.withLock { $0.uploadTask = task }
            return .YES
        }
    }

    /// Starts the responder before the body has arrived.
    private func startUpload(
        _ incoming: PendingRequest, _ framing: BodyFraming, _ state: inout State
    ) -> Step {
        var length: Int?
        if case .length(let bytes) = framing { length = bytes }
        let upload = UploadBuffer(
            handle: handle, length: length, capacity: daemon.configuration.streamBufferSize)
        state.phase = .uploading(upload, nil)
        state.setDeadline(within: daemon.configuration.requestDeadline)
        return .startUpload(incoming, upload, number: state.requestNumber)
    }

    /// The upload is complete: queues its response, or suspends until there is one.
    private func finishUpload(_ upload: UploadBuffer, _ response: Response?, _ state: inout State)
        -> Step
    {
        upload.finish()
        state.deadline = nil
        if let response {
            state.phase = .sending
            return .queue(response)
        }
        guard let task = state.uploadTask else { return .wait }
        handle.suspend()
        state.phase = .suspended(task)
        return .wait
    }

    /// Counts the connection among the streams, until the request ends; false if there are too
    /// many.
    func reserveStream(_ state: inout State) -> Bool {
        if !state.holdsStreamSlot {
            state.holdsStreamSlot = daemon.connectionRegistry.reserveStream()
        }
        return state.holdsStreamSlot
    }

    /// Called when the response was sent, or the connection broke.
    func complete() {
        let (phase, task, cancelsOnDisconnect) = state.withLock { state in
            defer {
                if state.holdsStreamSlot { daemon.connectionRegistry.releaseStream() }
                state.holdsStreamSlot = false
                state.phase = .idle
                state.uploadTask = nil
                state.cancelsOnDisconnect = false
                state.setDeadline(
                    within: .seconds(daemon.configuration.idleTimeout)
                        + daemon.configuration.requestDeadline)
            }
            return (state.phase, state.uploadTask, state.cancelsOnDisconnect)
        }
        switch phase {
        case .streaming(let body): body.abort()
        case .uploading(let upload, _):
            upload.abort()
            task?.cancel()
        case .continuing(let task, let job):
            if cancelsOnDisconnect { task.cancel() }
            globalConcurrentExecutor.enqueue(job)
        case .idle, .reading, .starting, .suspended, .ready, .sending: break
        }
    }

    /// From here on the descriptor may be reused.
    func markClosed() {
        state.withLock { state in
            state.socket = -1
            state.deadline = nil
        }
    }

    // MARK: Internal

    private func readHeaders(after line: RequestLine, into incoming: inout PendingRequest) {
        incoming.readRequestLine(line)
        withUnsafeMutablePointer(to: &incoming) {
            _ = MHD_get_connection_values_n(handle.pointer, .HEADER_KIND, headerFound, $0)
        }
        incoming.finishHeaders(
            size: handle.headerSize, limits: daemon.configuration, permits: daemon.largeBodyPermits)
    }

    /// Starts the task on this thread, and suspends only if it has to wait: most pages do not, and
    /// cost neither a suspension nor a thread switch.
    private func startResponder(on incoming: PendingRequest, _ number: Int) -> MHD_Result {
        let request = makeRequest(incoming)
        let task = Task.immediate(executorPreference: self) { [self, permit = incoming.permit] in
            deliver(await daemon.responder(request), to: number)
            // A large body is released with its task, not with its client.
            withExtendedLifetime(permit) {}
        }
        return queueResponse(of: task)
    }

    /// Queues the response of a task that ran on this thread; suspends if there is none yet.
    private func queueResponse(of task: Task<Void, Never>) -> MHD_Result {
        let ready: Response? = state.withLock { state in
            switch state.phase {
            case .ready(let response):
                state.phase = .sending
                return response
            case .starting:
                // Under the lock, which the task needs to respond, so that neither a response nor
                // an end intervenes.
                handle.suspend()
                state.phase = .suspended(task)
                return nil
            case .idle, .reading, .uploading, .suspended, .continuing, .sending, .streaming:
                return nil
            }
        }
        guard let ready else { return .YES }
        task.cancel()
        return queue(ready)
    }

    private func makeRequest(_ incoming: PendingRequest, _ bodyStream: BodyStream? = nil) -> Request
    {
        Request(
            method: Method(rawValue: incoming.method), target: incoming.target,
            headers: incoming.headers, body: incoming.body, bodyStream: bodyStream, peer: peer)
    }

    private func deliver(_ response: Response, to number: Int) {
        let upload: UploadBuffer? = state.withLock { state in
            guard state.requestNumber == number else { return nil }
            var response = response
            if state.isClosing { response.headers["Connection"] = "close" }
            switch state.phase {
            case .starting:
                state.phase = .ready(response)
                return nil
            case .suspended:
                state.phase = .ready(response)
                handle.resume()
                return nil
            case .continuing(_, let job):
                // The job belongs to a child of the task.
                state.phase = .ready(response)
                globalConcurrentExecutor.enqueue(job)
                return nil
            case .uploading(let upload, nil):
                state.phase = .uploading(upload, response)
                state.setDeadline(within: daemon.configuration.uploadDrainDeadline)
                return upload
            case .idle, .reading, .uploading, .ready, .sending, .streaming: return nil
            }
        }
        // libmicrohttpd accepts no response in the middle of a body.
        upload?.discardRemaining()
    }
}

/// Continues the request's task on libmicrohttpd's thread, which has to send its response: another
/// thread would have to be woken as well.
extension ClientConnection: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isAccepted = state.withLock { state in
            guard case .suspended(let task) = state.phase else { return false }
            state.phase = .continuing(task, job)
            handle.resume()
            return true
        }
        // That thread does not wait for the task: it is uploading, or has its response.
        if !isAccepted { globalConcurrentExecutor.enqueue(job) }
    }
}

/// The first line of a request as libmicrohttpd has split it.
///
/// The pointers are valid only during `requestArrived`.
struct RequestLine {
    let method: UnsafePointer<CChar>
    let target: UnsafePointer<CChar>
    let version: UnsafePointer<CChar>
}
