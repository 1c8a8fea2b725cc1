import Glibc
import Web

/// A request while it arrives.
struct PendingRequest {
    let target: String
    var method = ""
    var headers = Headers()
    var body: [UInt8] = []
    /// Why it will be refused; its body is then read and dropped.
    var refusal: Problem?
    var hasHeaders = false
    /// Its client is looked after while the answer is waited for.
    private(set) var cancelsOnDisconnect = false
    /// How its body ends, if that is not waited for.
    private(set) var uploadFraming: BodyFraming?
    /// What its body may have.
    private(set) var bodyLimit = 0
    /// Its place among the few that are larger than others may be.
    private(set) var permit: LargeBodyPermit?
    private var discardedBytes = 0
    /// Whether what was read is what was sent; nil where that is certain.
    private var integrityCheck: HeaderIntegrityCheck?
    /// Whether the next field is not the client's, but our mark.
    private var hasMarkerField: Bool
    private var requiresHost = true

    init(target: String, hasMarkerField: Bool) {
        self.target = target
        self.hasMarkerField = hasMarkerField
    }

    /// The request line is whole.
    mutating func readRequestLine(_ line: RequestLine) {
        method = String(cString: line.method)
        requiresHost = strcmp(line.version, "HTTP/1.0") != 0
        if HeaderIntegrityCheck.isNeeded {
            integrityCheck = HeaderIntegrityCheck(line, target: target)
        }
    }

    /// Reads one field line.
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

    /// Without the blanks behind it (RFC 9112, 5.1): libmicrohttpd keeps them from a tab on.
    private static func trimmed(_ value: UnsafeRawBufferPointer) -> Slice<UnsafeRawBufferPointer> {
        let end = value.lastIndex { $0 != 0x20 && $0 != 0x09 }
        return value[..<(end.map { $0 + 1 } ?? 0)]
    }

    /// Judges what is known before the body comes.
    mutating func finishHeaders(size: Int, limits: ServerConfiguration, permits: LargeBodyPermits) {
        hasHeaders = true
        bodyLimit = limits.bodyLimit
        integrityCheck?.finish(size: size)
        if size > limits.headerLimit
            || !limits.fits(headerBytes: size, fieldCount: headers.fields.count)
        {
            refusal = .headersTooLarge(limits.headerLimit)
        }
        if !method.isHTTPToken { refusal = .malformed("the method is no token") }
        if requiresHost, headers["Host"] == nil { refusal = .malformed("it has no Host") }
        // RFC 9112, 3.2: a target is made of visible ASCII.
        if !target.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) {
            refusal = .malformed("the target is not visible ASCII")
        }
        if refusal == nil, integrityCheck?.isIntact == false {
            refusal = .malformed(
                "it holds a zero byte, a folded line, a bare line feed or doubled blanks")
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

    /// A body larger than others may be: only where files are taken, and few
    /// at once.
    private mutating func reservePermit(
        _ length: Int, _ fileLimit: Int?, _ places: LargeBodyPermits
    )
        throws(Problem)
    {
        bodyLimit = fileLimit ?? bodyLimit
        guard length <= bodyLimit else { throw .bodyTooLarge(bodyLimit) }
        guard let place = places.acquire() else { throw .tooManyLargeBodies }
        self.permit = place
        body.reserveCapacity(length)
    }

    /// Takes a piece of the body. False when even dropping it is too much:
    /// libmicrohttpd lets nobody answer before the body is read, so a client
    /// may overshoot once and still be told, but not for ever.
    mutating func append(body piece: UnsafeRawBufferPointer) -> Bool {
        guard refusal == nil, body.count + piece.count <= bodyLimit else {
            if refusal == nil { refusal = .bodyTooLarge(bodyLimit) }
            body = []
            discardedBytes += piece.count
            return discardedBytes <= max(bodyLimit, 1 << 20)
        }
        body.append(contentsOf: piece)
        return true
    }
}
