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
    let buffer: TransferBuffer?
    let isCancelled = Atomic(false)
    /// Called once, on the engine's thread or in `Engine.start`.
    var onCompletion: (ExchangeResult) -> Void = { _ in }
    /// Called with the head of an answer that is still coming; before that.
    var onOpened: (ExchangeResult) -> Void = { _ in }
    /// While it is under way.
    var handle: EasyHandle?

    private(set) var response = ResponseAccumulator()
    /// The head was told of, or is about to be.
    var isHeadDelivered = false
    /// Called on the engine's thread as soon as the head is there.
    var onHeaders: () -> Void = {}
    /// What a callback found wrong; libcurl's own code then says little.
    private(set) var failure: TransportFailure?
    /// The kept connection was of no use any more and nothing was sent: to
    /// be tried again on a new one.
    private(set) var needsNewConnection = false
    /// When the request began to leave; nil if it did not.
    private(set) var sentAt: ContinuousClock.Instant?
    /// When the answer's first line was there.
    private(set) var firstByteAt: ContinuousClock.Instant?

    init(
        _ message: OutboundMessage, _ configuration: ClientConfiguration,
        buffer: TransferBuffer? = nil
    ) {
        self.message = message
        self.buffer = buffer
        self.configuration = configuration
    }

    /// What becomes of a piece of the answer's body.
    enum BodyDisposition {
        case accepted
        /// It is to come again when there is room.
        case paused
        /// It ends the transfer.
        case rejected
    }

    func receive(body bytes: UnsafeRawBufferPointer) -> BodyDisposition {
        if let flow = buffer { return flow.receive(bytes) ? .accepted : .paused }
        guard response.body.count + bytes.count <= configuration.responseLimit else {
            failure = TransportFailure(
                kind: .tooLarge,
                detail: "The answer of \(message.target.hostAndPort) is larger than "
                    + "\(configuration.responseLimit) bytes.")
            return .rejected
        }
        response.body.append(contentsOf: bytes)
        return .accepted
    }

    /// The next portion of the request's body.
    func send(into destination: UnsafeMutableRawBufferPointer) -> TransferBuffer.ReadResult {
        let portion = buffer?.read(into: destination) ?? .end
        if case .aborted = portion { failure = .uploadAborted }
        return portion
    }

    /// One line of a header block with its end. False ends the transfer.
    func receive(headerLine bytes: UnsafeRawBufferPointer) -> Bool {
        if firstByteAt == nil { firstByteAt = .now }
        response.receive(headerLine: bytes)
        guard response.headers.fields.count <= configuration.headerCountLimit,
            response.headerSize <= configuration.headerSizeLimit
        else {
            failure = TransportFailure(
                kind: .invalidResponse,
                detail: "\(message.target.hostAndPort) answers with more than "
                    + "\(configuration.headerCountLimit) header fields or "
                    + "\(configuration.headerSizeLimit) bytes of them.")
            return false
        }
        guard !response.isProtocolSwitch else {
            failure = TransportFailure(
                kind: .invalidResponse,
                detail: "\(message.target.hostAndPort) answers 101 and switches "
                    + "protocols, which nobody asked it for.")
            return false
        }
        if response.hasFinalHeaders, buffer != nil, !isHeadDelivered {
            isHeadDelivered = true
            // A stream may last as long as it likes.
            handle?.clearTimeout()
            onHeaders()
        }
        return true
    }

    /// Tells whoever waits, and lets go of everybody.
    func finish(_ result: ExchangeResult) {
        let tell = onCompletion
        onCompletion = { _ in }
        onOpened = { _ in }
        onHeaders = {}
        tell(result)
    }

    /// False ends this attempt.
    ///
    /// libcurl sends a request again when a kept connection ends without a
    /// byte of an answer. The first may have been carried out all the same,
    /// so only what changes nothing may go twice (RFC 9110, 9.2.2).
    func prepareToSend(isConnectionClosed: Bool) -> Bool {
        if sentAt != nil, !Method(rawValue: message.method).isSafe {
            failure = TransportFailure(
                kind: .connection,
                detail: "\(message.target.hostAndPort) closed the kept connection "
                    + "without an answer; the request may have been carried out.")
            return false
        }
        if isConnectionClosed, sentAt == nil, !needsNewConnection {
            needsNewConnection = true
            return false
        }
        sentAt = .now
        return true
    }

    /// The system gives no socket, and this is why (`errno`): no fault of
    /// whoever would be asked.
    func recordSocketFailure(_ code: Int32) {
        failure = TransportFailure(
            kind: .connection,
            detail: "This machine has no socket left for it: "
                + "\(String(cString: strerror(code))).")
    }

    /// Whether this address may be talked to. False ends the attempt.
    func allowConnection(_ address: PeerAddress, port: UInt16) -> Bool {
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
            kind: .refusedAddress, detail: "\(message.target.hostAndPort) leads to \(reason).")
        return false
    }
}
