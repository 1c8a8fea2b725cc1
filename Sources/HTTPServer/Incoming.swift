import Glibc
import Web

/// A request while it arrives.
struct Incoming {
    let target: String
    var method = ""
    var headers = Headers()
    var body: [UInt8] = []
    /// Why it will be refused; its body is then read and dropped.
    var refusal: Problem?
    var hasHeaders = false
    /// Its client is looked after while the answer is waited for.
    private(set) var isFollowed = false
    /// How its body ends, if that is not waited for.
    private(set) var upload: Framing?
    /// What its body may have.
    private(set) var limit = 0
    /// Its place among the few that are larger than others may be.
    private(set) var place: FilePlace?
    private var dropped = 0
    /// Whether what was read is what was sent; nil where that is certain.
    private var block: HeaderBlock?
    /// Whether the next field is not the client's, but our mark.
    private var isMarked: Bool
    private var needsHost = true

    init(target: String, isMarked: Bool) {
        self.target = target
        self.isMarked = isMarked
    }

    /// The request line is whole.
    mutating func begin(_ line: RequestLine) {
        method = String(cString: line.method)
        needsHost = strcmp(line.version, "HTTP/1.0") != 0
        if HeaderBlock.isNeeded { block = HeaderBlock(line, target: target) }
    }

    /// Reads one field line.
    mutating func add(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
        guard !isMarked else {
            isMarked = false
            return
        }
        block?.add(name: name, value: value)
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
    mutating func finishHeaders(size: Int, limits: ServerConfiguration, places: FilePlaces) {
        hasHeaders = true
        limit = limits.bodyLimit
        block?.finish(size: size)
        if size > limits.headerLimit || !limits.holds(headers: size, fields: headers.fields.count) {
            refusal = .headersTooLarge(limits.headerLimit)
        }
        if !method.isToken { refusal = .malformed("the method is no token") }
        if needsHost, headers["Host"] == nil { refusal = .malformed("it has no Host") }
        // RFC 9112, 3.2: a target is made of visible ASCII.
        if !target.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) {
            refusal = .malformed("the target is not visible ASCII")
        }
        if refusal == nil, block?.isWhole == false {
            refusal = .malformed(
                "it holds a zero byte, a folded line, a bare line feed or doubled blanks")
        }
        if refusal != nil { return }
        do {
            let framing = try Framing(headers)
            isFollowed = limits.streams(target)
            switch framing {
            case .length(let length) where isFollowed && length > limits.wholeBody: upload = framing
            case .chunked where isFollowed: upload = framing
            case .length(let length) where length > limit:
                try admit(length, limits.fileLimit(target, headers), places)
            case .length(let length): body.reserveCapacity(length)
            case .none, .chunked: break
            }
        } catch { refusal = error }
    }

    /// A body larger than others may be: only where files are taken, and few
    /// at once.
    private mutating func admit(_ length: Int, _ fileLimit: Int?, _ places: FilePlaces)
        throws(Problem)
    {
        limit = fileLimit ?? limit
        guard length <= limit else { throw .bodyTooLarge(limit) }
        guard let place = places.take() else { throw .tooManyFiles }
        self.place = place
        body.reserveCapacity(length)
    }

    /// Takes a piece of the body. False when even dropping it is too much:
    /// libmicrohttpd lets nobody answer before the body is read, so a client
    /// may overshoot once and still be told, but not for ever.
    mutating func add(body piece: UnsafeRawBufferPointer) -> Bool {
        guard refusal == nil, body.count + piece.count <= limit else {
            if refusal == nil { refusal = .bodyTooLarge(limit) }
            body = []
            dropped += piece.count
            return dropped <= max(limit, 1 << 20)
        }
        body.append(contentsOf: piece)
        return true
    }
}
