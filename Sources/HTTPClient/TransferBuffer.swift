import Synchronization
import Web

/// Buffer between the transfer loop's thread and streaming tasks: response bytes not yet consumed,
/// and request bytes not yet sent.
///
/// The thread writes and reads without waiting; when the buffer is full, or there is nothing to
/// send, it pauses the transfer, and the task that frees space or adds data resumes it.
final class TransferBuffer: Sendable {
    /// In each direction; exceeded by at most one chunk.
    static let capacity = 256 << 10

    private let state = Mutex(State())

    fileprivate struct State {
        var openWaiter: CheckedContinuation<StreamingResponse, Never>?
        var received: [UInt8] = []
        var completion: StreamingResponse.Completion?
        var consumer: CheckedContinuation<BodyStream.Chunk, Never>?
        var isFull = false

        var outgoing: [UInt8] = []
        /// How many of `outgoing` have been sent.
        var sentCount = 0
        var uploadState = UploadState.open
        var needsData = false
        var producer: CheckedContinuation<Void, Never>?

        /// The final chunk when nothing is left to consume; nil if more may arrive.
        var finalChunk: BodyStream.Chunk? { completion.map { $0.failure == nil ? .end : .aborted } }
    }

    fileprivate enum UploadState { case open, complete, aborted }

    // MARK: On the transfer loop's thread

    /// Stores a chunk of the response; false if there is no space now.
    func receive(_ chunk: UnsafeRawBufferPointer) -> Bool {
        let (isAccepted, consumer) = state.withLock { state in
            guard state.received.count < Self.capacity else {
                state.isFull = true
                return (false, nil as CheckedContinuation<BodyStream.Chunk, Never>?)
            }
            if let consumer = state.consumer {
                state.consumer = nil
                return (true, consumer)
            }
            state.received.append(contentsOf: chunk)
            return (true, nil)
        }
        consumer?.resume(returning: .bytes(Array(chunk)))
        return isAccepted
    }

    /// What the thread may send now.
    enum ReadResult {
        case bytes(Int)
        case pending, end, aborted
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> ReadResult {
        let (result, producer) = state.withLock { state in
            let available = state.outgoing.count - state.sentCount
            guard available > 0 else {
                switch state.uploadState {
                case .complete: return (ReadResult.end, nil as Producer?)
                case .aborted: return (.aborted, nil)
                case .open:
                    state.needsData = true
                    return (.pending, nil)
                }
            }
            let count = min(available, buffer.count)
            state.outgoing[state.sentCount..<(state.sentCount + count)].withUnsafeBytes {
                buffer.copyMemory(from: $0)
            }
            state.sentCount += count
            guard count == available else { return (.bytes(count), nil) }
            state.outgoing.removeAll(keepingCapacity: true)
            state.sentCount = 0
            return (.bytes(count), state.producer.take())
        }
        producer?.resume()
        return result
    }

    private typealias Producer = CheckedContinuation<Void, Never>

    /// Delivers the head of a response whose body is still being received.
    func deliverHead(_ response: StreamingResponse) {
        let openWaiter = state.withLock { $0.openWaiter.take() }
        openWaiter?.resume(returning: response)
    }

    /// Called when the transfer has ended, successfully or not.
    func finish(_ result: ExchangeResult) {
        let failure = result.failure
        let (openWaiter, body, consumer, producer) = state.withLock { state in
            state.completion = (result.timings, failure)
            state.uploadState = .aborted
            defer {
                state.openWaiter = nil
                state.producer = nil
                // A waiting consumer has received all previous bytes.
                state.consumer = nil
                if state.openWaiter != nil { state.received = [] }
            }
            return (state.openWaiter, state.received, state.consumer, state.producer)
        }
        openWaiter?.resume(returning: StreamingResponse(result.with(body: body)))
        consumer?.resume(returning: failure == nil ? .end : .aborted)
        producer?.resume()
    }

    // MARK: On other threads

    func setOpenWaiter(_ continuation: CheckedContinuation<StreamingResponse, Never>) {
        state.withLock { $0.openWaiter = continuation }
    }

    /// Returns the next chunk, and resumes the transfer if it was waiting for space.
    func next(_ resume: () -> Void) async -> BodyStream.Chunk {
        await withCheckedContinuation { consumer in
            let (chunk, wasFull) = state.withLock { state in
                guard !state.received.isEmpty else {
                    if state.finalChunk == nil { state.consumer = consumer }
                    return (state.finalChunk, false)
                }
                defer {
                    state.received = []
                    state.isFull = false
                }
                return (.bytes(state.received), state.isFull)
            }
            if wasFull { resume() }
            if let chunk { consumer.resume(returning: chunk) }
        }
    }

    /// Queues `chunk` for sending when there is space; false if nothing more is sent.
    func enqueue(_ chunk: [UInt8], _ resume: () -> Void) async -> Bool {
        await withCheckedContinuation { producer in
            let hasSpace = state.withLock { state in
                guard state.uploadState == .open,
                    state.outgoing.count - state.sentCount >= Self.capacity
                else { return true }
                state.producer = producer
                return false
            }
            if hasSpace { producer.resume() }
        }
        let (isAccepted, needsData) = state.withLock { state in
            guard state.uploadState == .open else { return (false, false) }
            state.outgoing += chunk
            defer { state.needsData = false }
            return (true, state.needsData)
        }
        if needsData { resume() }
        return isAccepted
    }

    /// Ends the request's body.
    func finishUpload(isComplete: Bool, _ resume: () -> Void) {
        state.withLock { state in
            if state.uploadState == .open { state.uploadState = isComplete ? .complete : .aborted }
        }
        resume()
    }

    var completion: StreamingResponse.Completion {
        state.withLock { $0.completion } ?? (Timings(), nil)
    }
}

extension ExchangeResult {
    fileprivate func with(body: [UInt8]) -> ExchangeResult {
        guard var response else { return self }
        response.body = body
        var result = self
        result.outcome = .responded(response)
        return result
    }
}
