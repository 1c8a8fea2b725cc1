import Web

/// An exchange as a cURL command that runs in a POSIX shell.
package enum Curl {
    /// Fields curl writes itself, and how a body was packed: it was recorded
    /// unpacked.
    private static let excludedHeaders: Set<String> = [
        "host", "content-length", "connection", "accept-encoding", "content-encoding",
    ]

    /// Tokens masked; with `tokens` (whole ones by index) they stand whole.
    ///
    /// A password stays `‹password›`: it was never kept. `-g` leaves brackets
    /// and braces in the address as they are; a field that ends in `;` has no
    /// value.
    package static func command(_ exchange: ExchangeDetail, tokens: [String]? = nil) -> String {
        let values = tokens ?? exchange.tokens
        func fill(_ text: String) -> String { exchange.filled(text, with: values) }
        var lines = [
            "curl -g -sS -X \(exchange.exchange.method) " + quote(fill(exchange.exchange.url))
        ]
        for field in exchange.requestHeaders.fields
        where !excludedHeaders.contains(field.name.lowercased()) {
            let value = fill(field.value)
            lines.append("-H " + quote(field.name + (value.isEmpty ? ";" : ": " + value)))
        }
        if exchange.requestBody.isWithheld {
            lines[0] = "# Its body was not kept.\n" + lines[0]
        } else if let body = exchange.requestBody.text, !body.isEmpty {
            lines.append("--data-raw " + quote(fill(body)))
        }
        return lines.joined(separator: " \\\n  ")
    }

    /// Single quotes stop everything in a POSIX shell but themselves.
    private static func quote(_ text: String) -> String {
        "'" + text.replacing("'", with: #"'\''"#) + "'"
    }
}
