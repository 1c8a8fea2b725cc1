/// The media types a client prefers (RFC 9110, 12.5.1).
package struct Accept: Sendable {
    private var ranges: [(type: String, quality: Double)] = []

    /// Without an `Accept` header all types are equally acceptable.
    package init(_ headers: Headers) {
        for header in headers.all("Accept") {
            for part in header.utf8.split(separator: UInt8(ascii: ",")) {
                let components = String(Substring(part)).lowercased().split(separator: ";").map {
                    $0.filter { $0 != " " }
                }
                guard let type = components.first else { continue }
                let weight = components.dropFirst().first { $0.hasPrefix("q=") }
                let quality = weight.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
                ranges.append((String(type), quality))
            }
        }
    }

    /// From 0 to 1; the most specific range counts.
    package func quality(of type: String) -> Double {
        guard !ranges.isEmpty else { return 1 }
        let wildcard = type.prefix { $0 != "/" } + "/*"
        for candidate in [type, String(wildcard), "*/*"] {
            if let range = ranges.first(where: { $0.type == candidate }) { return range.quality }
        }
        return 0
    }

    /// Whether the client is a browser loading a page, not a script that accepts anything.
    package var prefersHTML: Bool { quality(of: "text/html") > quality(of: "application/json") }
}
