extension URLParts {
    /// The host in lower case, an IPv6 address in brackets (RFC 3986, 3.2.2); empty without an
    /// authority.
    package var host: String { hostAndPort.host.lowercased() }

    /// The port, by default that of the scheme (3.2.3); nil if it is not a number from 1 to 65535.
    package var port: UInt16? {
        guard let digits = hostAndPort.port else {
            return scheme == "https" ? 443 : scheme == "http" ? 80 : nil
        }
        guard digits.utf8.allSatisfy(\.isDigit) else { return nil }
        return UInt16(digits).flatMap { $0 > 0 ? $0 : nil }
    }

    /// The part before `@` (3.2.1); nil without one.
    package var userInfo: Substring? {
        authority.flatMap { authority in authority.lastIndex(of: "@").map { authority[..<$0] } }
    }

    /// Whether it is an http or https URL with a host.
    package var isHTTPURL: Bool { (scheme == "http" || scheme == "https") && !host.isEmpty }

    /// Whether the host names this machine: localhost and its subdomains (RFC 6761, 6.3),
    /// 127.0.0.0/8 (RFC 1122, 3.2.1.3) written with four numbers, `[::1]` (RFC 4291, 2.5.3).
    package var isLoopback: Bool {
        let host = host
        if host == "localhost" || host.hasSuffix(".localhost") { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return host == "[::1]"
            || parts.count == 4 && parts[0] == "127"
                && parts.allSatisfy { $0.utf8.first != UInt8(ascii: "+") && UInt8($0) != nil }
    }

    private var hostAndPort: (host: Substring, port: Substring?) {
        var remaining = authority ?? ""
        if let atSign = remaining.lastIndex(of: "@") {
            remaining = remaining[atSign...].dropFirst()
        }
        // The colons of an IPv6 address are inside its brackets.
        let searchStart = remaining.firstIndex(of: "]") ?? remaining.startIndex
        guard let colon = remaining[searchStart...].firstIndex(of: ":") else {
            return (remaining, nil)
        }
        return (remaining[..<colon], remaining[colon...].dropFirst())
    }
}
