import Web

/// An exchange as a cURL command that runs in a POSIX shell.
package enum Curl {
    /// Fields that curl writes itself, and the content encoding: bodies are recorded decoded.
    private static let excludedHeaders: Set<String> = [
        "host", "content-length", "connection", "accept-encoding", "content-encoding",
    ]

    /// Tokens are masked unless `tokens` has the unmasked ones by index.
    ///
    /// A password stays `‹password›` because it was never stored. `-g` keeps curl from interpreting
    /// brackets and braces in the URL; a header argument that ends in `;` sends an empty value.
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
            lines[0] = "# The body was not stored.\n" + lines[0]
        } else if let body = exchange.requestBody.text, !body.isEmpty {
            lines.append("--data-raw " + quote(fill(body)))
        }
        return lines.joined(separator: " \\\n  ")
    }

    /// In a POSIX shell, single quotes escape everything but single quotes.
    private static func quote(_ text: String) -> String {
        "'" + text.replacing("'", with: #"'\''"#) + "'"
    }
}
