/// A URL split into its RFC 3986 components, with nothing decoded.
///
/// Any text can be split (Appendix B). Callers check whether it is usable. No name is resolved.
package struct URLParts: Sendable {
    /// The input, unchanged.
    package let text: String
    /// `https`, lower case (3.1, 6.2.2.1); nil for a relative reference.
    package let scheme: String?
    /// The part after `//` (3.2); nil without them.
    package let authority: Substring?
    /// Empty or, if there is an authority, starting with a slash (3.3).
    package let path: Substring
    /// The part after the first `?` (3.4); nil without one.
    package let query: Substring?
    /// The part after the first `#` (3.5); nil without one.
    package let fragment: Substring?

    package init(_ text: String) {
        self.text = text
        var remaining = text[...]
        scheme = Self.takeScheme(from: &remaining)
        authority = Self.takeAuthority(from: &remaining)
        fragment = Self.takeSuffix(UInt8(ascii: "#"), from: &remaining)
        query = Self.takeSuffix(UInt8(ascii: "?"), from: &remaining)
        path = remaining
    }

    // MARK: Derived parts

    /// Scheme and authority in lower case, `https://api.example.com`; empty without either.
    package var origin: String {
        guard let scheme, let authority else { return "" }
        return scheme + "://" + authority.lowercased()
    }

    /// Path and query as a request sends them (RFC 9112, 3.2.1).
    package var requestTarget: String {
        let path = path.isEmpty && authority != nil ? "/" : path
        return query.map { "\(path)?\($0)" } ?? String(path)
    }

    /// Everything before the query.
    package var textBeforeQuery: Substring { text[..<path.endIndex] }

    /// The query's names and values as written, split at `&` and `=`.
    package var queryItems: [(name: String, value: String)] {
        Self.pairs(in: query ?? "").map { (String($0.name), String($0.value)) }
    }

    /// The names and values of a query or a form as written.
    static func pairs(in text: Substring) -> [(name: Substring, value: Substring)] {
        text.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (parts[0], parts.count > 1 ? parts[1] : "")
        }
    }

    /// The part after `base`, on a segment boundary: empty, or starting with `/`, `?` or `#`; nil
    /// if the URL is not below `base`.
    package func suffix(below base: some StringProtocol) -> Substring? {
        guard text.hasPrefix(base) else { return nil }
        let remaining = text.dropFirst(base.count)
        return remaining.first.map { "/?#".contains($0) } ?? true ? remaining : nil
    }

    // MARK: Authority

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

    // MARK: Parsing

    // Parses bytes: parsing characters costs ten times as much.

    /// A letter, then letters, digits, `+`, `-` and `.`, up to a colon.
    private static func takeScheme(from remaining: inout Substring) -> String? {
        guard let end = remaining.utf8.firstIndex(where: { byte in ":/?#".utf8.contains(byte) }),
            remaining.utf8[end] == UInt8(ascii: ":")
        else { return nil }
        let scheme = remaining[..<end].lowercased()
        guard scheme.utf8.first?.isLetter == true,
            scheme.utf8.allSatisfy({ $0.isLetter || $0.isDigit || "+-.".utf8.contains($0) })
        else { return nil }
        remaining = remaining[remaining.utf8.index(after: end)...]
        return scheme
    }

    private static func takeAuthority(from remaining: inout Substring) -> Substring? {
        guard remaining.utf8.starts(with: "//".utf8) else { return nil }
        let afterSlashes = remaining[remaining.utf8.index(remaining.startIndex, offsetBy: 2)...]
        let end = afterSlashes.utf8.firstIndex { "/?#".utf8.contains($0) } ?? afterSlashes.endIndex
        remaining = afterSlashes[end...]
        return afterSlashes[..<end]
    }

    /// Removes and returns the part after the first `delimiter`.
    private static func takeSuffix(_ delimiter: UInt8, from remaining: inout Substring)
        -> Substring?
    {
        guard let start = remaining.utf8.firstIndex(of: delimiter) else { return nil }
        let suffix = remaining[remaining.utf8.index(after: start)...]
        remaining = remaining[..<start]
        return suffix
    }
}
