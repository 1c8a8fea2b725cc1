import CMicrohttpd
import Core
import Glibc
import Web

/// A request that is being received.
struct PendingRequest {
    let target: String
    var method = ""
    var headers = Headers()
    var body: [UInt8] = []
    /// Why it will be rejected; its body is then read and dropped.
    var refusal: Problem?
    var hasHeaders = false
    /// Whether the client is monitored while its response is pending.
    private(set) var cancelsOnDisconnect = false
    /// How its body ends, if it is streamed to the responder.
    private(set) var uploadFraming: BodyFraming?
    /// The maximum size of its body.
    private(set) var bodyLimit = 0
    /// Permit for a body larger than `bodyLimit`.
    private(set) var permit: LargeBodyPermit?
    private var discardedBytes = 0
    /// Checks that the parsed headers are what was sent; nil where that is certain.
    private var integrityCheck: HeaderIntegrityCheck?
    /// Whether the next field is not the client's, but the marker field.
    private var hasMarkerField: Bool
    private var requiresHost = true

    init(target: String, hasMarkerField: Bool) {
        self.target = target
        self.hasMarkerField = hasMarkerField
        headers.fields.reserveCapacity(Headers.usualCount)
    }

    /// Stores the complete request line.
    mutating func readRequestLine(_ line: RequestLine) {
        method = String(cString: line.method)
        requiresHost = strcmp(line.version, "HTTP/1.0") != 0
        if HeaderIntegrityCheck.isNeeded {
            integrityCheck = HeaderIntegrityCheck(line, target: target)
        }
    }

    /// Stores one field line.
    mutating func addHeader(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
        guard !hasMarkerField else {
            hasMarkerField = false
            return
        }
        integrityCheck?.add(name: name, value: value)
        if value.contains(0) || name.contains(0) {
            refusal = .malformed("a header contains a zero byte")
        }
        headers.add(
            String(decoding: name, as: UTF8.self),
            String(decoding: Self.trimmed(value), as: UTF8.self))
    }

    /// Strips trailing blanks (RFC 9112, 5.1): libmicrohttpd keeps them from a tab on.
    private static func trimmed(_ value: UnsafeRawBufferPointer) -> Slice<UnsafeRawBufferPointer> {
        let end = value.lastIndex { $0 != 0x20 && $0 != 0x09 }
        return value[..<(end.map { $0 + 1 } ?? 0)]
    }

    /// Validates what is known before the body arrives.
    mutating func finishHeaders(size: Int, limits: ServerConfiguration, permits: UsageLimit) {
        hasHeaders = true
        bodyLimit = limits.bodyLimit
        integrityCheck?.finish(size: size)
        if size > limits.headerLimit
            || !limits.fits(headerBytes: size, fieldCount: headers.fields.count)
        {
            refusal = .headersTooLarge(limits.headerLimit)
        }
        if !method.isHTTPToken { refusal = .malformed("the method is not a token") }
        if requiresHost, headers["Host"] == nil { refusal = .malformed("it has no Host header") }
        // RFC 9112, 3.2: a target consists of visible ASCII.
        if !target.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) {
            refusal = .malformed("the target is not visible ASCII")
        }
        if refusal == nil, integrityCheck?.isIntact == false {
            refusal = .malformed(
                "it contains a zero byte, a folded line, a bare line feed or repeated spaces")
        }
        if refusal != nil { return }
        do {
            let framing = try BodyFraming(headers)
            cancelsOnDisconnect = limits.isStreamingTarget(target)
            switch framing {
            case .length(let length)
            where cancelsOnDisconnect && length > limits.streamingThreshold: uploadFraming = framing
            case .chunked where cancelsOnDisconnect: uploadFraming = framing
            case .length(let length) where length > bodyLimit:
                try reservePermit(length, limits.largeBodyLimit(target, headers), permits)
            case .length(let length): body.reserveCapacity(length)
            case .none, .chunked: break
            }
        } catch { refusal = error }
    }

    /// Reserves a permit for a body larger than the general limit: only for targets that accept
    /// files, and few at once.
    private mutating func reservePermit(
        _ length: Int, _ fileLimit: Int?, _ permits: UsageLimit
    ) throws(Problem) {
        bodyLimit = fileLimit ?? bodyLimit
        guard length <= bodyLimit else { throw .bodyTooLarge(bodyLimit) }
        guard let permit = LargeBodyPermit(of: permits) else { throw .tooManyLargeBodies }
        self.permit = permit
        body.reserveCapacity(length)
    }

    /// Appends a chunk of the body. False when even the dropped bytes are too many: libmicrohttpd
    /// allows no response before the body has been read, so a client may exceed the limit once and
    /// still get the error response, but not indefinitely.
    mutating func append(body chunk: UnsafeRawBufferPointer) -> Bool {
        guard refusal == nil, body.count + chunk.count <= bodyLimit else {
            if refusal == nil { refusal = .bodyTooLarge(bodyLimit) }
            body = []
            discardedBytes += chunk.count
            return discardedBytes <= max(bodyLimit, 1 << 20)
        }
        body.append(contentsOf: chunk)
        return true
    }
}

/// One of a few permits for requests with large bodies, each of which is held in memory completely.
///
/// It is released when the request is no longer referenced.
final class LargeBodyPermit: Sendable {
    private let limit: UsageLimit

    /// Nil when all are in use.
    init?(of limit: UsageLimit) {
        guard limit.acquire() else { return nil }
        self.limit = limit
    }

    deinit { limit.release() }
}

/// Detects requests that libmicrohttpd parsed differently from what was sent.
///
/// Before 0.9.77 it ends a line, and even the headers, at a zero byte, appends a folded line to the
/// field's *name*, and accepts a bare line feed as a line end, all without an error. It leaves the
/// parts in the receive buffer in their order, so a gap shows that something was dropped. Only
/// addresses are compared; nothing is dereferenced.
///
/// Bytes that have the length of two line ends but are not go unnoticed: `\r\n\0\n` or `\r\n:\n`
/// after the last field ends the headers, and the following bytes are the next request.
struct HeaderIntegrityCheck {
    /// The first byte of the request line.
    private let start: UInt
    /// The end of the last part that was checked.
    private var end: UInt
    /// Whether every byte so far is accounted for.
    private(set) var isIntact: Bool

    /// Later versions reject such requests themselves, and may lay out their memory differently.
    static let isNeeded: Bool = {
        let version = String(cString: MHD_get_version()).split(separator: ".").map { Int($0) ?? 0 }
        return version.lexicographicallyPrecedes([0, 9, 77])
    }()

    /// `target` is the target as sent: libmicrohttpd has truncated the query of its own.
    init(_ line: RequestLine, target: String) {
        start = UInt(bitPattern: line.method)
        let targetStart = UInt(bitPattern: line.target)
        let version = UInt(bitPattern: line.version)
        end = version &+ UInt(strlen(line.version))
        isIntact =
            targetStart &- start == UInt(strlen(line.method)) + 1
            && version &- targetStart == UInt(target.utf8.count) + 1
    }

    /// Checks the next field of the list.
    mutating func add(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
        let nameStart = UInt(bitPattern: name.baseAddress)
        let nameEnd = nameStart &+ UInt(name.count)
        let valueStart = UInt(bitPattern: value.baseAddress)
        // CR LF before the name, colon and blanks between name and value.
        let isNext = nameStart &- end == 2 && valueStart > nameEnd
        isIntact = isIntact && isNext
        end = valueStart &+ UInt(value.count)
    }

    /// Called after the last field; `size` is that of all the headers.
    mutating func finish(size: Int) {
        // Two line ends.
        isIntact = isIntact && start &+ UInt(bitPattern: size) &- end == 4
    }
}

/// Responses of the server itself, before or instead of the responder. Most close the connection,
/// since its following bytes are unreliable.
extension Problem {
    static func bodyTooLarge(_ limit: Int) -> Problem {
        let limitText = limit < 1 << 20 ? "\(limit) bytes" : "\(limit >> 20) MiB"
        return Problem(
            status: 413, code: "body-too-large", title: "Payload too large",
            detail: "The limit is \(limitText) here.", headers: closeHeaders)
    }

    static let tooManyLargeBodies = Problem(
        status: 503, code: "too-many-files", title: "Other uploads are in progress",
        detail: "Large uploads are limited. Try again in a moment.",
        headers: ["Retry-After": "5", "Connection": "close"])

    static func headersTooLarge(_ limit: Int) -> Problem {
        Problem(
            status: 431, code: "headers-too-large", title: "Request headers too large",
            detail: "The limit for request line and headers is \(limit) bytes.",
            headers: closeHeaders)
    }

    static let stopping = Problem(
        status: 503, code: "stopping", title: "Foyer is stopping",
        detail: "Start it again, then repeat the request.", headers: closeHeaders)

    static let tooManyStreams = Problem(
        status: 503, code: "too-many-streams", title: "Too many live streams are open",
        detail: "Close other pages, or try again in a moment.",
        headers: ["Retry-After": "5", "Connection": "close"])

    private static let closeHeaders: Headers = ["Connection": "close"]
}
