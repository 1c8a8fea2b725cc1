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
    let isCancelled = Atomic(false)
    /// Called once, on the engine's thread or in `Engine.start`.
    var whenDone: (Delivery) -> Void = { _ in }
    /// While it is under way.
    var handle: EasyHandle?

    private(set) var answer = AnswerInProgress()
    /// What a callback found wrong; libcurl's own code then says little.
    private(set) var failure: TransportFailure?
    /// The kept connection was of no use any more and nothing was sent: to
    /// be tried again on a new one.
    private(set) var needsNewConnection = false
    /// When the request began to leave; nil if it did not.
    private(set) var leftAt: ContinuousClock.Instant?
    /// When the answer's first line was there.
    private(set) var answeredAt: ContinuousClock.Instant?

    init(_ message: OutboundMessage, _ configuration: ClientConfiguration) {
        self.message = message
        self.configuration = configuration
    }

    /// False ends the transfer.
    func receive(body bytes: UnsafeRawBufferPointer) -> Bool {
        guard
            answer.body.count + bytes.count <= configuration.answerLimit
        else {
            failure = TransportFailure(
                kind: .tooLarge,
                detail: "The answer of \(message.target.name) is larger than "
                    + "\(configuration.answerLimit) bytes.")
            return false
        }
        answer.body.append(contentsOf: bytes)
        return true
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
        return true
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
                    + "without an answer; the request may have been carried "
                    + "out.")
            return false
        }
        if connectionHasEnded, leftAt == nil, !needsNewConnection {
            needsNewConnection = true
            return false
        }
        leftAt = .now
        return true
    }

    /// Whether this address may be talked to. False ends the attempt.
    func mayOpen(_ address: PeerAddress, port: UInt16) -> Bool {
        let reason: String? =
            if address.isUnspecified || address.isMulticast {
                "an address that is no single machine's"
            } else if address.isLoopback,
                configuration.refusedPorts.contains(port)
            {
                "Foyer itself"
            } else if !message.target.isEncrypted, !address.isLoopback {
                "another machine, and https is required there"
            } else {
                nil
            }
        guard let reason else { return true }
        failure = TransportFailure(
            kind: .refusedAddress,
            detail: "\(message.target.name) leads to \(reason).")
        return false
    }
}
