import Glibc
import Synchronization
import Web

/// One outbound request in progress, and its response so far.
///
/// `@unchecked Sendable`: a task creates it and sets its `onCompletion`, then passes it to the
/// transfer loop's thread under a lock; from then on only that thread accesses it, and the
/// callbacks run on it. `isCancelled` may be used anywhere.
final class Transfer: @unchecked Sendable {
    let message: OutboundMessage
    let configuration: ClientConfiguration
    /// Receives the response body in chunks; nil accumulates it.
    let buffer: TransferBuffer?
    let isCancelled = Atomic(false)
    /// Called once, on the transfer loop's thread or in `TransferLoop.start`.
    var onCompletion: (ExchangeResult) -> Void = { _ in }
    /// Called before `onCompletion` with the head of a response whose body is still being received.
    var onOpened: (ExchangeResult) -> Void = { _ in }
    /// Set while the transfer is running.
    var handle: EasyHandle?

    private(set) var response = ResponseAccumulator()
    /// The head was delivered, or is about to be.
    var isHeadDelivered = false
    /// Called on the transfer loop's thread as soon as the head is complete.
    var onHeaders: () -> Void = {}
    /// An error found by a callback, which libcurl's own code does not describe. A name may have
    /// several addresses: if one was refused, that is reported, however the others failed.
    private(set) var failure: TransportFailure?
    /// The reused connection was closed and nothing was sent: to be retried on a new one.
    private(set) var needsNewConnection = false
    /// When sending the request started; nil if it did not.
    private(set) var sentAt: ContinuousClock.Instant?
    /// When the response's first line was received.
    private(set) var firstByteAt: ContinuousClock.Instant?

    init(
        _ message: OutboundMessage, _ configuration: ClientConfiguration,
        buffer: TransferBuffer? = nil
    ) {
        self.message = message
        self.buffer = buffer
        self.configuration = configuration
    }

    /// Stores why the transfer ends; returns false.
    @discardableResult private func fail(_ kind: TransportFailure.Kind, _ detail: String) -> Bool {
        failure = TransportFailure(kind, detail)
        return false
    }

    /// What to do with a chunk of the response body.
    enum BodyDisposition {
        case accepted
        /// libcurl delivers it again when there is space.
        case paused
        /// The transfer ends.
        case rejected
    }

    func receive(body bytes: UnsafeRawBufferPointer) -> BodyDisposition {
        if let buffer = buffer { return buffer.receive(bytes) ? .accepted : .paused }
        guard response.body.count + bytes.count <= configuration.responseLimit else {
            fail(
                .tooLarge,
                "The response of \(message.target.hostAndPort) is larger than "
                    + "\(configuration.responseLimit) bytes.")
            return .rejected
        }
        response.body.append(contentsOf: bytes)
        return .accepted
    }

    /// Copies the next bytes of the request's body.
    func send(into destination: UnsafeMutableRawBufferPointer) -> TransferBuffer.ReadResult {
        let result = buffer?.read(into: destination) ?? .end
        if case .aborted = result { failure = .uploadAborted }
        return result
    }

    /// Receives one line of a header block with its line end. False ends the transfer.
    func receive(headerLine bytes: UnsafeRawBufferPointer) -> Bool {
        if firstByteAt == nil { firstByteAt = .now }
        response.receive(headerLine: bytes)
        guard response.headers.fields.count <= configuration.headerCountLimit,
            response.headerSize <= configuration.headerSizeLimit
        else {
            return fail(
                .invalidResponse,
                "\(message.target.hostAndPort) responded with more than "
                    + "\(configuration.headerCountLimit) header fields or "
                    + "\(configuration.headerSizeLimit) bytes of them.")
        }
        guard !response.isProtocolSwitch else {
            return fail(
                .invalidResponse,
                "\(message.target.hostAndPort) responded with 101 and switched protocols, "
                    + "which was not requested.")
        }
        if response.hasFinalHeaders, buffer != nil, !isHeadDelivered {
            isHeadDelivered = true
            // A stream may last indefinitely.
            handle?.clearTimeout()
            onHeaders()
        }
        return true
    }

    /// Delivers the result, and releases all closures.
    func finish(_ result: ExchangeResult) {
        let completion = onCompletion
        onCompletion = { _ in }
        onOpened = { _ in }
        onHeaders = {}
        completion(result)
    }

    /// Called before each attempt; false ends it.
    ///
    /// libcurl resends a request when a reused connection ends before the first byte of a response.
    /// The first one may have been carried out all the same, so only safe methods may be sent twice
    /// (RFC 9110, 9.2.2).
    func prepareToSend(isConnectionClosed: Bool) -> Bool {
        if sentAt != nil, !Method(rawValue: message.method).isSafe {
            return fail(
                .connection,
                "\(message.target.hostAndPort) closed the reused connection without a "
                    + "response; the request may have been processed.")
        }
        if isConnectionClosed, sentAt == nil, !needsNewConnection {
            needsNewConnection = true
            return false
        }
        sentAt = .now
        return true
    }

    /// Records that the system provides no socket (`errno`), which is not the peer's fault.
    func recordSocketFailure(_ code: Int32) {
        fail(
            .connection,
            "No socket is available on this machine: \(String(cString: strerror(code))).")
    }

    /// Whether this address may be connected to. False ends the attempt.
    func allowConnection(_ address: PeerAddress, port: UInt16) -> Bool {
        let reason: String? =
            if address.isUnspecified || address.isMulticast {
                "an address that is not a single machine's"
            } else if address.isLoopback, configuration.refusedPorts.contains(port) {
                "Foyer itself"
            } else if !message.target.isEncrypted, !address.isLoopback {
                "another machine, and https is required there"
            } else { nil }
        guard let reason else { return true }
        return fail(.refusedAddress, "\(message.target.hostAndPort) resolves to \(reason).")
    }
}

/// A response that is being received: the last header block and the body so far.
struct ResponseAccumulator {
    private(set) var headers = Headers()
    /// Bytes of all header blocks.
    private(set) var headerSize = 0
    var body: [UInt8] = []
    /// Set after the last block: further lines are trailers, which must not be treated as headers
    /// (RFC 9110, 6.5.1).
    private(set) var hasFinalHeaders = false
    private var isInterim = false
    /// Whether the status announces a protocol other than HTTP.
    private(set) var isProtocolSwitch = false

    mutating func receive(headerLine line: UnsafeRawBufferPointer) {
        headerSize += line.count
        guard !hasFinalHeaders else { return }
        var end = line.count
        while end > 0, line[end - 1] == 0x0A || line[end - 1] == 0x0D { end -= 1 }
        guard end > 0 else {
            hasFinalHeaders = !isInterim
            return
        }
        let line = line[..<end]
        if line.starts(with: "HTTP/".utf8) {
            headers = Headers()
            headers.fields.reserveCapacity(Headers.usualCount)
            // 1xx precedes the final response (RFC 9110, 15.2).
            let status = line.split(separator: 0x20).dropFirst().first
            isInterim = status?.count == 3 && status?.first == 0x31
            isProtocolSwitch = status?.elementsEqual("101".utf8) == true
            return
        }
        guard let colon = line.firstIndex(of: 0x3A) else { return }
        // A folded line (RFC 9112, 5.2) continues the previous one.
        if line.first?.isBlank == true { return }
        headers.add(Self.text(line[..<colon]), Self.text(line[(colon + 1)...]))
    }

    /// The text without blanks around it.
    private static func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        let start = bytes.firstIndex { !$0.isBlank } ?? bytes.endIndex
        let end = bytes.lastIndex { !$0.isBlank }.map { $0 + 1 } ?? start
        return String(
            decoding: UnsafeRawBufferPointer(rebasing: bytes[start..<end]), as: UTF8.self)
    }
}
