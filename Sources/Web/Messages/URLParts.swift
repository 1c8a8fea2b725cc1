/// A URL cut into its parts as RFC 3986 has them, with nothing decoded.
///
/// Any text can be cut (Appendix B); whether it leads anywhere is for
/// whoever asks. What a name resolves to is not told here.
package struct URLParts: Sendable {
    /// As written.
    package let text: String
    /// `https`, lower case (3.1, 6.2.2.1); nil for a relative reference.
    package let scheme: String?
    /// What stands behind `//` (3.2); nil without them.
    package let authority: Substring?
    /// Empty, or from its slash on where there is an authority (3.3).
    package let path: Substring
    /// Behind the first `?` (3.4); nil without one.
    package let query: Substring?
    /// Behind the first `#` (3.5); nil without one.
    package let fragment: Substring?

    package init(_ text: String) {
        self.text = text
        var rest = text[...]
        scheme = Self.takeScheme(from: &rest)
        authority = Self.takeAuthority(from: &rest)
        fragment = Self.takeSuffix(UInt8(ascii: "#"), from: &rest)
        query = Self.takeSuffix(UInt8(ascii: "?"), from: &rest)
        path = rest
    }

    // MARK: The whole in part

    /// Scheme and authority in lower case, `https://api.example.com`; empty
    /// without either.
    package var origin: String {
        guard let scheme, let authority else { return "" }
        return scheme + "://" + authority.lowercased()
    }

    /// Path and query as a request sends them (RFC 9112, 3.2.1).
    package var requestTarget: String {
        let path = path.isEmpty && authority != nil ? "/" : path
        return query.map { "\(path)?\($0)" } ?? String(path)
    }

    /// All of it before the query.
    package var textBeforeQuery: Substring { text[..<path.endIndex] }

    /// The query's names and values as written, cut at `&` and `=`.
    package var queryItems: [(name: String, value: String)] {
        (query ?? "").split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
        }
    }

    /// What follows `base`, by whole segments: empty, or from `/`, `?` or `#`
    /// on; nil for what does not lie below it.
    package func suffix(below base: some StringProtocol) -> Substring? {
        guard text.hasPrefix(base) else { return nil }
        let rest = text.dropFirst(base.count)
        return rest.first.map { "/?#".contains($0) } ?? true ? rest : nil
    }

    // MARK: Cutting

    // By bytes: by characters it costs ten times as much.

    /// A letter, then letters, digits, `+`, `-` and `.`, up to a colon.
    private static func takeScheme(from rest: inout Substring) -> String? {
        guard let end = rest.utf8.firstIndex(where: { byte in ":/?#".utf8.contains(byte) }),
            rest.utf8[end] == UInt8(ascii: ":")
        else { return nil }
        let scheme = rest[..<end].lowercased()
        guard let first = scheme.utf8.first, isLetter(first),
            scheme.utf8.allSatisfy({
                isLetter($0) || (0x30...0x39).contains($0) || "+-.".utf8.contains($0)
            })
        else { return nil }
        rest = rest[rest.utf8.index(after: end)...]
        return scheme
    }

    private static func takeAuthority(from rest: inout Substring) -> Substring? {
        guard rest.utf8.starts(with: "//".utf8) else { return nil }
        let inner = rest[rest.utf8.index(rest.startIndex, offsetBy: 2)...]
        let end = inner.utf8.firstIndex { "/?#".utf8.contains($0) } ?? inner.endIndex
        rest = inner[end...]
        return inner[..<end]
    }

    /// What stands behind the first `mark`.
    private static func takeSuffix(_ mark: UInt8, from rest: inout Substring) -> Substring? {
        guard let start = rest.utf8.firstIndex(of: mark) else { return nil }
        let end = rest[rest.utf8.index(after: start)...]
        rest = rest[..<start]
        return end
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }
}
