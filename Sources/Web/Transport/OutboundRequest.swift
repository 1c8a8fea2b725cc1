/// A request to a backend, exactly as it will be sent.
package struct OutboundRequest: Sendable, Equatable {
    package var method: Method
    /// Absolute, `http` or `https`, percent-encoded.
    package var url: String
    package var headers: Headers
    package var body: [UInt8]
    /// For the complete exchange.
    package var timeout: Duration
    /// Whether only the headers that the connection needs are added: it is another client's
    /// request.
    package var isVerbatim = false

    package init(
        method: Method, url: String, headers: Headers = [:], body: [UInt8] = [],
        timeout: Duration = .seconds(30)
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
    }
}

extension Method {
    /// Whether it may be sent: 1 to 20 capital letters, as all registered methods have (RFC 9110,
    /// 16.1).
    package var canBeSent: Bool {
        (1...20).contains(rawValue.utf8.count)
            && rawValue.utf8.allSatisfy { (0x41...0x5A).contains($0) }
    }
}

extension Headers.Field {
    /// Whether it may be sent: a name of visible characters, and no bytes that could start another
    /// field.
    package var canBeSent: Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: ":") }
            && !value.utf8.contains { [0x00, 0x0A, 0x0D].contains($0) }
    }
}

extension URLParts {
    /// Maximum length of a sendable URL, in bytes.
    package static let maxLength = 16_384

    /// Whether it may be sent: no blanks, and no backslash, which some servers read as a slash.
    package var canBeSent: Bool {
        text.utf8.count <= Self.maxLength
            && !text.utf8.contains { $0 < 0x21 || $0 == UInt8(ascii: "\\") }
    }

    /// Whether a request target could leave the path it is appended to: by a dot segment or a
    /// fragment, in any spelling that a server might interpret that way.
    package static func mayLeaveBase(_ target: String) -> Bool {
        let isPlain = target.utf8.allSatisfy { ![0x23, 0x25, 0x2E, 0x5C].contains($0) }
        if isPlain { return false }
        let path = String(target.prefix { $0 != "?" })
        let parts = path.lowercased().replacing("%2f", with: "/").replacing("%5c", with: "/")
            .replacing("\\", with: "/").replacing("%2e", with: ".").replacing("%3b", with: ";")
            .split(separator: "/")  // Some servers ignore the part of a segment after a semicolon.
            .map { $0.prefix { $0 != ";" } }
        return parts.contains(".") || parts.contains("..") || path.contains("#")
    }
}
