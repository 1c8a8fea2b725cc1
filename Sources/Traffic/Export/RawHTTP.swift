import Web

/// An exchange as plain HTTP text: request, empty line, response.
package enum RawHTTP {
    /// Tokens are masked unless `tokens` has the unmasked ones by index. A password stays
    /// `‹password›` because it was never stored.
    package static func text(_ detail: ExchangeDetail, tokens: [String]? = nil) -> String {
        let values = tokens ?? detail.tokens
        let exchange = detail.exchange
        var lines = [
            "\(exchange.method) \(detail.filled(exchange.pathAndQuery, with: values)) HTTP/1.1"
        ]
        lines += detail.requestHeaders.fields.map {
            "\($0.name): \(detail.filled($0.value, with: values))"
        }
        if detail.requestHeaders["Host"] == nil {
            let host = URLParts(exchange.url).authority ?? ""
            lines.insert("Host: \(host)", at: 1)
        }
        lines.append("")
        lines += body(detail.requestBody, detail, values)
        guard let status = exchange.status else {
            let failure = exchange.failure
            lines.append(
                "# No response: \(failure?.kind.rawValue ?? "") " + (failure?.detail ?? ""))
            return lines.joined(separator: "\n") + "\n"
        }
        lines.append("HTTP/1.1 \(status)")
        lines += detail.responseHeaders.fields.map {
            "\($0.name): \(detail.filled($0.value, with: values))"
        }
        lines.append("")
        lines += body(detail.responseBody, detail, values)
        return lines.joined(separator: "\n")
    }

    private static func body(
        _ body: ExchangeDetail.RecordedBody, _ detail: ExchangeDetail, _ values: [String]
    ) -> [String] {
        guard body.length > 0 else { return [] }
        guard let text = body.text else { return ["# Binary data, \(body.length) bytes", ""] }
        let truncationNote =
            body.isTruncated ? ["# First \(body.bytes.count) of \(body.length) bytes"] : []
        return [detail.filled(text, with: values)] + truncationNote + [""]
    }
}
