import CMicrohttpd
import Glibc

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
