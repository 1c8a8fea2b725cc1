import Glibc
import Synchronization
import Web

/// One request on its way, and what has come of it so far.
///
/// `@unchecked Sendable`: made and given its `whenDone` by a task, then handed
/// to the engine's thread through a lock; from then on only that thread
/// touches it, and the callbacks run on it. `isCancelled` is for all.
final class Transfer: @unchecked Sendable {
    let message: OutboundMessage
    let configuration: ClientConfiguration
    /// Takes the answer's body piece by piece; nil keeps it whole.
    let flow: Flow?
    let isCancelled = Atomic(false)
    /// Called once, on the engine's thread or in `Engine.start`.
    var whenDone: (Delivery) -> Void = { _ in }
    /// Called with the head of an answer that is still coming; before that.
    var whenOpened: (Delivery) -> Void = { _ in }
    /// While it is under way.
    var handle: EasyHandle?

    private(set) var answer = AnswerInProgress()
    /// The head was told of, or is about to be.
    var isOpened = false
    /// Called on the engine's thread as soon as the head is there.
    var whenHeaded: () -> Void = {}
    /// What a callback found wrong; libcurl's own code then says little.
    private(set) var failure: TransportFailure?
    /// The kept connection was of no use any more and nothing was sent: to
    /// be tried again on a new one.
    private(set) var needsNewConnection = false
    /// When the request began to leave; nil if it did not.
    private(set) var leftAt: ContinuousClock.Instant?
    /// When the answer's first line was there.
    private(set) var answeredAt: ContinuousClock.Instant?

    init(_ message: OutboundMessage, _ configuration: ClientConfiguration, flow: Flow? = nil) {
        self.message = message
        self.flow = flow
        self.configuration = configuration
    }

    /// What becomes of a piece of the answer's body.
    enum Reception {
        case taken
        /// It is to come again when there is room.
        case later
        /// It ends the transfer.
        case refused
    }

    func receive(body bytes: UnsafeRawBufferPointer) -> Reception {
        if let flow { return flow.put(bytes) ? .taken : .later }
        guard answer.body.count + bytes.count <= configuration.answerLimit else {
            failure = TransportFailure(
                kind: .tooLarge,
                detail: "The answer of \(message.target.name) is larger than "
                    + "\(configuration.answerLimit) bytes.")
            return .refused
        }
        answer.body.append(contentsOf: bytes)
        return .taken
    }

    /// The next portion of the request's body.
    func send(into buffer: UnsafeMutableRawBufferPointer) -> Flow.Portion {
        let portion = flow?.take(into: buffer) ?? .end
        if case .broken = portion { failure = .lostUpload }
        return portion
    }

    /// One line of a header block with its end. False ends the transfer.
    func receive(headerLine bytes: UnsafeRawBufferPointer) -> Bool {
        if answeredAt == nil { answeredAt = .now }
        answer.receive(headerLine: bytes)
        guard answer.headers.fields.count <= configuration.headerCountLimit,
            answer.headerSize <= configuration.headerSizeLimit
        else {
            failure = TransportFailure(
                kind: .invalidAnswer,
                detail: "\(message.target.name) answers with more than "
                    + "\(configuration.headerCountLimit) header fields or "
                    + "\(configuration.headerSizeLimit) bytes of them.")
            return false
        }
        guard !answer.isSwitch else {
            failure = TransportFailure(
                kind: .invalidAnswer,
                detail: "\(message.target.name) answers 101 and switches "
                    + "protocols, which nobody asked it for.")
            return false
        }
        if answer.isComplete, flow != nil, !isOpened {
            isOpened = true
            // A stream may last as long as it likes.
            handle?.forgetTimeout()
            whenHeaded()
        }
        return true
    }

    /// Tells whoever waits, and lets go of everybody.
    func finish(_ delivery: Delivery) {
        let tell = whenDone
        whenDone = { _ in }
        whenOpened = { _ in }
        whenHeaded = {}
        tell(delivery)
    }

    /// False ends this attempt.
    ///
    /// libcurl sends a request again when a kept connection ends without a
    /// byte of an answer. The first may have been carried out all the same,
    /// so only what changes nothing may go twice (RFC 9110, 9.2.2).
    func mayLeave(connectionHasEnded: Bool) -> Bool {
        if leftAt != nil, !Method(rawValue: message.method).isSafe {
            failure = TransportFailure(
                kind: .connection,
                detail: "\(message.target.name) closed the kept connection "
                    + "without an answer; the request may have been carried out.")
            return false
        }
        if connectionHasEnded, leftAt == nil, !needsNewConnection {
            needsNewConnection = true
            return false
        }
        leftAt = .now
        return true
    }

    /// The system gives no socket, and this is why (`errno`): no fault of
    /// whoever would be asked.
    func lacksSocket(_ code: Int32) {
        failure = TransportFailure(
            kind: .connection,
            detail: "This machine has no socket left for it: "
                + "\(String(cString: strerror(code))).")
    }

    /// Whether this address may be talked to. False ends the attempt.
    func mayOpen(_ address: PeerAddress, port: UInt16) -> Bool {
        let reason: String? =
            if address.isUnspecified || address.isMulticast {
                "an address that is no single machine's"
            } else if address.isLoopback, configuration.refusedPorts.contains(port) {
                "Foyer itself"
            } else if !message.target.isEncrypted, !address.isLoopback {
                "another machine, and https is required there"
            } else { nil }
        guard let reason else { return true }
        failure = TransportFailure(
            kind: .refusedAddress, detail: "\(message.target.name) leads to \(reason).")
        return false
    }
}
