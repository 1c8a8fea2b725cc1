/// How a variable's value is written at the place it stands in.
enum Escape {
    /// RFC 3986, 2.3: everything but the unreserved characters, so that a
    /// value can neither end a path segment nor begin a query.
    static func url(_ text: String) -> String {
        percent(text, spaceAsPlus: false)
    }

    /// `application/x-www-form-urlencoded` (WHATWG URL, 5.2).
    static func form(_ text: String) -> String {
        percent(text, spaceAsPlus: true)
    }

    /// Whether a header field may carry `text` (RFC 9110, 5.5): no CR, LF,
    /// NUL nor any other control character but tab.
    static func isHeaderValue(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
    }

    private static func percent(_ text: String, spaceAsPlus: Bool) -> String {
        if text.utf8.allSatisfy(isUnreserved) { return text }
        var out: [UInt8] = []
        out.reserveCapacity(text.utf8.count * 2)
        for byte in text.utf8 {
            if isUnreserved(byte) {
                out.append(byte)
            } else if byte == 0x20, spaceAsPlus {
                out.append(UInt8(ascii: "+"))
            } else {
                out.append(UInt8(ascii: "%"))
                out.append(digit(byte >> 4))
                out.append(digit(byte & 15))
            }
        }
        return String(decoding: out, as: UTF8.self)
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10
            ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
            UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
