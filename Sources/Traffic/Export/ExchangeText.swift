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
        func fill(_ text: String) -> String { exchange.filled(text, with: tokens) }
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

/// An exchange as plain HTTP text: request, empty line, response.
package enum RawHTTP {
    /// Tokens are masked unless `tokens` has the unmasked ones by index. A password stays
    /// `‹password›` because it was never stored.
    package static func text(_ detail: ExchangeDetail, tokens: [String]? = nil) -> String {
        func fill(_ text: String) -> String { detail.filled(text, with: tokens) }
        /// Header fields, an empty line, and the body.
        func message(_ headers: Headers, _ body: ExchangeDetail.RecordedBody) -> [String] {
            let lines = headers.fields.map { "\($0.name): \(fill($0.value))" } + [""]
            guard body.length > 0 else { return lines }
            guard let text = body.text else {
                return lines + ["# Binary data, \(body.length) bytes", ""]
            }
            let truncationNote =
                body.isTruncated ? ["# First \(body.storedLength) of \(body.length) bytes"] : []
            return lines + [fill(text)] + truncationNote + [""]
        }
        let exchange = detail.exchange
        var lines = ["\(exchange.method) \(fill(exchange.pathAndQuery)) HTTP/1.1"]
        if detail.requestHeaders["Host"] == nil {
            lines.append("Host: \(URLParts(exchange.url).authority ?? "")")
        }
        lines += message(detail.requestHeaders, detail.requestBody)
        guard let status = exchange.status else {
            let failure = exchange.failure
            lines.append(
                "# No response: \(failure?.kind.rawValue ?? "") " + (failure?.detail ?? ""))
            return lines.joined(separator: "\n") + "\n"
        }
        lines.append("HTTP/1.1 \(status)")
        lines += message(detail.responseHeaders, detail.responseBody)
        return lines.joined(separator: "\n")
    }
}
