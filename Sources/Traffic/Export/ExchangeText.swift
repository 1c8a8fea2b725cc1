import Web

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
