/// A request target in canonical form (RFC 9112, 3.2; RFC 3986, 6).
///
/// Every address has one spelling: `/%61pi` is `/api`. Anything two parsers could read differently
/// (dot segments, encoded slashes, NUL, text that is not UTF-8) is rejected.
package struct RequestTarget: Sendable, Equatable {
    /// Decoded, without empty segments.
    package private(set) var segments: [String]
    /// Whether the path ends in `/` and is not just `/`.
    package let hasTrailingSlash: Bool
    /// Decoded names and values in order.
    package let query: [Form.Item]
    /// The part below a subtree's root, as sent: empty, or starting with a slash or question mark.
    package let subtreeRemainder: String

    /// In bytes; longer targets are rejected.
    package static let maxLength = 8 << 10

    /// The canonical path, decoded.
    package var path: String {
        "/" + segments.joined(separator: "/") + (hasTrailingSlash ? "/" : "")
    }

    /// The canonical path and query, encoded, without query items named `name`.
    ///
    /// It begins with exactly one slash, so it never points to another host.
    package func pathAndQuery(without name: String) -> String {
        let path =
            "/" + segments.map { PercentEncoding.encode($0) }.joined(separator: "/")
            + (hasTrailingSlash ? "/" : "")
        let remainingItems = query.filter { $0.name != name }
        guard !remainingItems.isEmpty else { return path }
        return path + "?" + Form.encode(remainingItems.map { ($0.name, $0.value) })
    }

    /// The same target below the segments `prefix`.
    package func prefixed(_ prefix: [String]) -> RequestTarget {
        var target = self
        target.segments = prefix + segments
        return target
    }

    /// Parses `target`, which `subtreeRemainder` follows unparsed.
    package init(parsing target: String, subtreeRemainder remainder: Substring = "") throws(Problem)
    {
        self.subtreeRemainder = String(remainder)
        let bytes = Array(target.utf8)
        guard bytes.count + remainder.utf8.count <= Self.maxLength else {
            throw Problem(
                status: 414, code: "target-too-long", title: "URL too long",
                detail: "The limit is \(Self.maxLength) bytes.")
        }
        // Of the four forms of a request target, only origin-form is for a server that is not a
        // proxy.
        guard bytes.first == UInt8(ascii: "/") else { throw Self.malformed("it must begin with /") }
        let pathEnd = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.endIndex
        var segments: [String] = []
        var start = 1
        for end in 1...pathEnd where end == pathEnd || bytes[end] == UInt8(ascii: "/") {
            if end > start { segments.append(try Self.decodeSegment(bytes[start..<end])) }
            start = end + 1
        }
        self.segments = segments
        hasTrailingSlash = !segments.isEmpty && bytes[pathEnd - 1] == UInt8(ascii: "/")
        query = try Form.parseItems(bytes[pathEnd...].dropFirst())
    }

    private static func decodeSegment(_ part: ArraySlice<UInt8>) throws(Problem) -> String {
        var decoded = part
        guard !part.contains(UInt8(ascii: "#")) else { throw malformed("it contains a fragment") }
        if part.contains(UInt8(ascii: "%")) {
            guard let bytes = PercentEncoding.decode(part) else {
                throw malformed("it contains an invalid % escape")
            }
            decoded = bytes[...]
        }
        guard !decoded.contains(where: { $0 < 0x20 || $0 == 0x7F || #"/\"#.utf8.contains($0) })
        else { throw malformed("it contains an encoded slash or control character") }
        // Some servers read `..;a` as `..` (RFC 3986, 3.3: a semicolon may start a segment's
        // parameters).
        let dot = UInt8(ascii: ".")
        let name = decoded.prefix { $0 != UInt8(ascii: ";") }
        guard name.isEmpty || name.count > 2 || !name.allSatisfy({ $0 == dot }) else {
            throw malformed("it contains a dot segment")
        }
        guard let text = String(validating: decoded, as: UTF8.self) else {
            throw malformed("it is not UTF-8")
        }
        return text
    }

    private static func malformed(_ reason: String) -> Problem {
        Problem(
            status: 400, code: "malformed-target", title: "Malformed URL",
            detail: "Invalid path: \(reason).")
    }
}
