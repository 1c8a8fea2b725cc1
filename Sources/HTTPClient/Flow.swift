import Synchronization
import Web

/// The bytes between the engine's thread and those who stream: an answer's
/// that nobody has taken yet, and a request's that have not left yet.
///
/// The thread puts and takes without waiting; when there is no room, or
/// nothing to send, it pauses the transfer, and whoever makes a difference
/// has it go on.
final class Flow: Sendable {
    /// Either way; passed by at most one piece.
    static let bound = 256 << 10

    private let state = Mutex(State())

    fileprivate struct State {
        var opened: CheckedContinuation<Opened, Never>?
        var arrived: [UInt8] = []
        var ending: Opened.Ending?
        var taker: CheckedContinuation<Inflow.Piece, Never>?
        var isFull = false

        var leaving: [UInt8] = []
        /// How many of `leaving` are gone.
        var gone = 0
        var upload = Upload.open
        var isHungry = false
        var giver: CheckedContinuation<Void, Never>?
    }

    fileprivate enum Upload { case open, whole, broken }

    // MARK: On the engine's thread

    /// A piece of the answer; false if there is no room for it now.
    func put(_ piece: UnsafeRawBufferPointer) -> Bool {
        let (isTaken, taker) = state.withLock { state in
            guard state.arrived.count < Self.bound else {
                state.isFull = true
                return (false, nil as CheckedContinuation<Inflow.Piece, Never>?)
            }
            if let taker = state.taker {
                state.taker = nil
                return (true, taker)
            }
            state.arrived.append(contentsOf: piece)
            return (true, nil)
        }
        taker?.resume(returning: .bytes(Array(piece)))
        return isTaken
    }

    /// What the thread may send now.
    enum Portion {
        case bytes(Int)
        case nothingYet, end, broken
    }

    func take(into buffer: UnsafeMutableRawBufferPointer) -> Portion {
        let (portion, giver) = state.withLock { state in
            let left = state.leaving.count - state.gone
            guard left > 0 else {
                switch state.upload {
                case .whole: return (Portion.end, nil as Giver?)
                case .broken: return (.broken, nil)
                case .open:
                    state.isHungry = true
                    return (.nothingYet, nil)
                }
            }
            let count = min(left, buffer.count)
            state.leaving[state.gone..<(state.gone + count)].withUnsafeBytes {
                buffer.copyMemory(from: $0)
            }
            state.gone += count
            guard count == left else { return (.bytes(count), nil) }
            state.leaving.removeAll(keepingCapacity: true)
            state.gone = 0
            return (.bytes(count), state.giver.take())
        }
        giver?.resume()
        return portion
    }

    private typealias Giver = CheckedContinuation<Void, Never>

    /// The head is there and the body is not: whoever opened goes on.
    func open(_ delivery: Delivery, _ rest: Opened.Rest) {
        let opened = state.withLock { $0.opened.take() }
        opened?.resume(returning: Opened(delivery, rest: rest))
    }

    /// The transfer is over, however it ended.
    func end(_ delivery: Delivery) {
        var failure: TransportFailure?
        if case .failed(let why) = delivery.outcome { failure = why }
        let ending = Opened.Ending(timings: delivery.timings, failure: failure)
        let (opened, body, taker, giver) = state.withLock { state in
            state.ending = ending
            state.upload = .broken
            defer {
                state.opened = nil
                state.giver = nil
                // Who waits has taken everything that was there.
                state.taker = nil
                if state.opened != nil { state.arrived = [] }
            }
            return (state.opened, state.arrived, state.taker, state.giver)
        }
        opened?.resume(returning: Opened(delivery.with(body: body)))
        taker?.resume(returning: failure == nil ? .end : .broken)
        giver?.resume()
    }

    // MARK: Elsewhere

    func whenOpened(_ continuation: CheckedContinuation<Opened, Never>) {
        state.withLock { $0.opened = continuation }
    }

    /// What came next, and whether the transfer can go on for the room.
    func next(_ goOn: () -> Void) async -> Inflow.Piece {
        await withCheckedContinuation { taker in
            let (piece, isRoom) = state.withLock { state in
                guard !state.arrived.isEmpty else {
                    if state.end == nil { state.taker = taker }
                    return (state.end, false)
                }
                defer {
                    state.arrived = []
                    state.isFull = false
                }
                return (.bytes(state.arrived), state.isFull)
            }
            if isRoom { goOn() }
            if let piece { taker.resume(returning: piece) }
        }
    }

    /// Sends `piece` when there is room; false if nothing is sent any more.
    func give(_ piece: [UInt8], _ goOn: () -> Void) async -> Bool {
        await withCheckedContinuation { giver in
            let isRoom = state.withLock { state in
                guard state.upload == .open, state.leaving.count - state.gone >= Self.bound else {
                    return true
                }
                state.giver = giver
                return false
            }
            if isRoom { giver.resume() }
        }
        let (isTaken, isHungry) = state.withLock { state in
            guard state.upload == .open else { return (false, false) }
            state.leaving += piece
            defer { state.isHungry = false }
            return (true, state.isHungry)
        }
        if isHungry { goOn() }
        return isTaken
    }

    /// There is no further piece to send.
    func finishUpload(isWhole: Bool, _ goOn: () -> Void) {
        state.withLock { state in
            if state.upload == .open { state.upload = isWhole ? .whole : .broken }
        }
        goOn()
    }

    var ending: Opened.Ending {
        state.withLock { $0.ending } ?? Opened.Ending(timings: Timings(), failure: nil)
    }
}

extension Flow.State {
    /// How it stands when nothing is left to take; nil if more may come.
    fileprivate var end: Inflow.Piece? { ending.map { $0.failure == nil ? .end : .broken } }
}

extension Delivery {
    fileprivate func with(body: [UInt8]) -> Delivery {
        guard case .answered(var answer) = outcome else { return self }
        answer.body = body
        var delivery = self
        delivery.outcome = .answered(answer)
        return delivery
    }
}
