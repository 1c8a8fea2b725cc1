import CMicrohttpd
import Glibc

/// Notices what libmicrohttpd read otherwise than it was sent.
///
/// Before 0.9.77 it ends a line, and even the headers, at a zero byte, hangs a
/// folded line onto the field's *name*, and takes a line feed alone for a
/// line's end; of none it tells. But it
/// leaves the pieces where they were received, one behind the other, so a gap
/// shows that something was dropped. Addresses are compared, nothing is read
/// through them.
///
/// What has the length of two line ends and is none goes unnoticed:
/// `\r\n\0\n` or `\r\n:\n` behind the last field ends the headers, and what
/// follows is the next request.
struct HeaderIntegrityCheck {
    /// The first byte of the request line.
    private let start: UInt
    /// Behind the piece that was looked at last.
    private var end: UInt
    /// Whether every byte so far is accounted for.
    private(set) var isIntact: Bool

    /// Later versions refuse such requests themselves, and may lay out their
    /// memory as they like.
    static let isNeeded: Bool = {
        let version = String(cString: MHD_get_version()).split(separator: ".").map { Int($0) ?? 0 }
        return version.lexicographicallyPrecedes([0, 9, 77])
    }()

    /// `target` is the one sent: libmicrohttpd has cut the query off its own.
    init(_ line: RequestLine, target: String) {
        start = UInt(bitPattern: line.method)
        let targetStart = UInt(bitPattern: line.target)
        let version = UInt(bitPattern: line.version)
        end = version &+ UInt(strlen(line.version))
        isIntact =
            targetStart &- start == UInt(strlen(line.method)) + 1
            && version &- targetStart == UInt(target.utf8.count) + 1
    }

    /// The next field of the list.
    mutating func add(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
        let nameStart = UInt(bitPattern: name.baseAddress)
        let nameEnd = nameStart &+ UInt(name.count)
        let valueStart = UInt(bitPattern: value.baseAddress)
        // CR LF before, colon and blanks between.
        let isNext = nameStart &- end == 2 && valueStart > nameEnd
        isIntact = isIntact && isNext
        end = valueStart &+ UInt(value.count)
    }

    /// There is no further field; `size` is that of all the headers.
    mutating func finish(size: Int) {
        // Two line ends.
        isIntact = isIntact && start &+ UInt(bitPattern: size) &- end == 4
    }
}
