/// What a client would rather read (RFC 9110, 12.5.1).
package struct Accept: Sendable {
    private var ranges: [(type: String, quality: Double)] = []

    /// Without an `Accept` header everything is as good.
    package init(_ headers: Headers) {
        for header in headers.all("Accept") {
            for part in header.utf8.split(separator: UInt8(ascii: ",")) {
                let pieces = String(Substring(part)).lowercased().split(separator: ";").map {
                    $0.filter { $0 != " " }
                }
                guard let type = pieces.first else { continue }
                let weight = pieces.dropFirst().first { $0.hasPrefix("q=") }
                let quality = weight.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
                ranges.append((String(type), quality))
            }
        }
    }

    /// 0 … 1; the most specific range counts.
    package func quality(of type: String) -> Double {
        guard !ranges.isEmpty else { return 1 }
        let family = type.prefix { $0 != "/" } + "/*"
        for wanted in [type, String(family), "*/*"] {
            if let range = ranges.first(where: { $0.type == wanted }) { return range.quality }
        }
        return 0
    }

    /// A browser looking at a page, not a script that takes anything.
    package var prefersHTML: Bool { quality(of: "text/html") > quality(of: "application/json") }
}
