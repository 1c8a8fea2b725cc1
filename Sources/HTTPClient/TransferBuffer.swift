import Synchronization
import Web

/// The bytes between the engine's thread and those who stream: an answer's
/// that nobody has taken yet, and a request's that have not left yet.
///
/// The thread puts and takes without waiting; when there is no room, or
/// nothing to send, it pauses the transfer, and whoever makes a difference
/// has it go on.
final class TransferBuffer: Sendable {
    /// Either way; passed by at most one piece.
    static let capacity = 256 << 10

    private let state = Mutex(State())

    fileprivate struct State {
        var openWaiter: CheckedContinuation<StreamingResponse, Never>?
        var received: [UInt8] = []
        var completion: StreamingResponse.Completion?
        var consumer: CheckedContinuation<BodyStream.Chunk, Never>?
        var isFull = false

        var outgoing: [UInt8] = []
        /// How many of `leaving` are gone.
        var sentCount = 0
        var uploadState = UploadState.open
        var needsData = false
        var producer: CheckedContinuation<Void, Never>?
    }

    fileprivate enum UploadState { case open, complete, aborted }

    // MARK: On the engine's thread

    /// A piece of the answer; false if there is no room for it now.
    func receive(_ piece: UnsafeRawBufferPointer) -> Bool {
        let (isTaken, consumer) = state.withLock { state in
            guard state.received.count < Self.capacity else {
                state.isFull = true
                return (false, nil as CheckedContinuation<BodyStream.Chunk, Never>?)
            }
            if let consumer = state.consumer {
                state.consumer = nil
                return (true, consumer)
            }
            state.received.append(contentsOf: piece)
            return (true, nil)
        }
        consumer?.resume(returning: .bytes(Array(piece)))
        return isTaken
    }

    /// What the thread may send now.
    enum ReadResult {
        case bytes(Int)
        case pending, end, aborted
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> ReadResult {
        let (portion, giver) = state.withLock { state in
            let left = state.outgoing.count - state.sentCount
            guard left > 0 else {
                switch state.uploadState {
                case .complete: return (ReadResult.end, nil as Producer?)
                case .aborted: return (.aborted, nil)
                case .open:
                    state.needsData = true
                    return (.pending, nil)
                }
            }
            let count = min(left, buffer.count)
            state.outgoing[state.sentCount..<(state.sentCount + count)].withUnsafeBytes {
                buffer.copyMemory(from: $0)
            }
            state.sentCount += count
            guard count == left else { return (.bytes(count), nil) }
            state.outgoing.removeAll(keepingCapacity: true)
            state.sentCount = 0
            defer { state.producer = nil }
            return (.bytes(count), state.producer)
        }
        giver?.resume()
        return portion
    }

    private typealias Producer = CheckedContinuation<Void, Never>

    /// The head is there and the body is not: whoever opened goes on.
    func deliverHead(_ result: ExchangeResult, _ rest: StreamingResponse.Body) {
        let opened = state.withLock { state in
            defer { state.openWaiter = nil }
            return state.openWaiter
        }
        opened?.resume(returning: StreamingResponse(result, body: rest))
    }

    /// The transfer is over, however it ended.
    func finish(_ result: ExchangeResult) {
        var failure: TransportFailure?
        if case .failed(let why) = result.outcome { failure = why }
        let ending = StreamingResponse.Completion(timings: result.timings, failure: failure)
        let (opened, body, consumer, giver) = state.withLock { state in
            state.completion = ending
            state.uploadState = .aborted
            defer {
                state.openWaiter = nil
                state.producer = nil
                // Who waits has taken everything that was there.
                state.consumer = nil
                if state.openWaiter != nil { state.received = [] }
            }
            return (state.openWaiter, state.received, state.consumer, state.producer)
        }
        opened?.resume(returning: StreamingResponse(result.with(body: body)))
        consumer?.resume(returning: failure == nil ? .end : .aborted)
        giver?.resume()
    }

    // MARK: Elsewhere

    func setOpenWaiter(_ continuation: CheckedContinuation<StreamingResponse, Never>) {
        state.withLock { $0.openWaiter = continuation }
    }

    /// What came next, and whether the transfer can go on for the room.
    func next(_ goOn: () -> Void) async -> BodyStream.Chunk {
        await withCheckedContinuation { consumer in
            let (chunk, isRoom) = state.withLock { state in
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
            if isRoom { goOn() }
            if let chunk { consumer.resume(returning: chunk) }
        }
    }

    /// Sends `piece` when there is room; false if nothing is sent any more.
    func enqueue(_ piece: [UInt8], _ goOn: () -> Void) async -> Bool {
        await withCheckedContinuation { giver in
            let isRoom = state.withLock { state in
                guard state.uploadState == .open,
                    state.outgoing.count - state.sentCount >= Self.capacity
                else {
                    return true
                }
                state.producer = giver
                return false
            }
            if isRoom { giver.resume() }
        }
        let (isTaken, isHungry) = state.withLock { state in
            guard state.uploadState == .open else { return (false, false) }
            state.outgoing += piece
            defer { state.needsData = false }
            return (true, state.needsData)
        }
        if isHungry { goOn() }
        return isTaken
    }

    /// There is no further piece to send.
    func finishUpload(isComplete: Bool, _ goOn: () -> Void) {
        state.withLock { state in
            if state.uploadState == .open { state.uploadState = isComplete ? .complete : .aborted }
        }
        goOn()
    }

    var completion: StreamingResponse.Completion {
        state.withLock { $0.completion }
            ?? StreamingResponse.Completion(timings: Timings(), failure: nil)
    }
}

extension TransferBuffer.State {
    /// How it stands when nothing is left to take; nil if more may come.
    fileprivate var finalChunk: BodyStream.Chunk? {
        completion.map { $0.failure == nil ? .end : .aborted }
    }
}

extension ExchangeResult {
    fileprivate func with(body: [UInt8]) -> ExchangeResult {
        guard case .responded(var response) = outcome else { return self }
        response.body = body
        var result = self
        result.outcome = .responded(response)
        return result
    }
}
