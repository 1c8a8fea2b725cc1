/// The cookies of a request (RFC 6265, 5.4).
package struct Cookies: Sendable {
    private var pairs: [(name: Substring, value: Substring)] = []

    /// Parses all `Cookie` headers and skips what is not a pair.
    package init(_ headers: Headers) {
        for field in headers.fields where Headers.areEqual(field.name, "Cookie") {
            // Iterates over bytes: iterating over characters costs ten times as much.
            for pair in field.value.utf8.split(separator: UInt8(ascii: ";")) {
                guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { continue }
                let name = Self.trimmed(pair[..<equals])
                guard !name.isEmpty else { continue }
                let value = Self.trimmed(pair[pair.index(after: equals)...])
                pairs.append((name, value))
            }
        }
    }

    /// The value of the first cookie named `name`.
    package subscript(name: String) -> String? {
        pairs.first { $0.name == name }.map { String($0.value) }
    }

    private static func trimmed(_ bytes: Substring.UTF8View) -> Substring {
        let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        var bytes = bytes.drop(while: isBlank)
        while let last = bytes.last, isBlank(last) { bytes.removeLast() }
        return Substring(bytes)
    }
}
