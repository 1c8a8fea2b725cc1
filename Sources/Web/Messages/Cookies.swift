/// The cookies of a request (RFC 6265, 5.4).
package struct Cookies: Sendable {
    private var pairs: [(name: Substring, value: Substring)] = []

    package init(_ headers: Headers) {
        for header in headers.all("Cookie") {
            for pair in header.split(separator: ";") {
                let parts = pair.split(
                    separator: "=", maxSplits: 1,
                    omittingEmptySubsequences: false)
                guard parts.count == 2 else { continue }
                let name = parts[0].drop { $0 == " " }
                pairs.append((name, parts[1]))
            }
        }
    }

    /// The first cookie of that name.
    package subscript(name: String) -> String? {
        pairs.first { $0.name == name }.map { String($0.value) }
    }
}
