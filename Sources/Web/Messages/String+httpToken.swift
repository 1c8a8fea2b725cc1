extension String {
    /// Whether it is an HTTP token, the syntax of methods and field names (RFC 9110, 5.6.2).
    package var isHTTPToken: Bool { !isEmpty && utf8.allSatisfy(\.isHTTPTokenByte) }
}

extension UInt8 {
    /// Whether the byte may occur in a token.
    package var isHTTPTokenByte: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E,
            0x5E...0x60, 0x7C, 0x7E:
            true
        default: false
        }
    }
}
