import Web

/// One section of an exchange, prepared for comparison.
struct ComparedSection {
    let title: String
    let content: Content

    enum Content {
        /// Paths and values.
        case values([(String, String)])
        case body(String?)
    }

    static let timingsTitle = "Timings"

    /// The sections of an exchange, with `tokens` as the values of its token placeholders.
    static func sections(of detail: ExchangeDetail, _ tokens: [String]) -> [ComparedSection] {
        func fill(_ text: String) -> String { detail.filled(text, with: tokens) }
        func headers(_ headers: Headers) -> Content {
            .values(headers.fields.map { ($0.name.lowercased(), fill($0.value)) })
        }
        func body(_ body: ExchangeDetail.RecordedBody) -> Content {
            .body(
                body.length == 0 ? nil : body.text.map(fill) ?? "Binary data, \(body.length) bytes")
        }
        let exchange = detail.exchange
        let url = URLParts(fill(exchange.url))
        let requestLine =
            [("Method", exchange.method), ("URL", String(url.textBeforeQuery))]
            + url.queryItems.map { ("?" + $0.name, $0.value) }
        let status =
            exchange.status.map(String.init) ?? "No response: \(exchange.failure?.detail ?? "")"
        let times = exchange.timings
        let phases: [(String, Double?)] = [
            ("DNS lookup", times.nameLookup), ("Connect", times.connect), ("TLS", times.tls),
            ("Waiting (TTFB)", times.firstByte), ("Duration", times.total),
        ]
        return [
            .init(title: "Request", content: .values(requestLine)),
            .init(title: "Request headers", content: headers(detail.requestHeaders)),
            .init(title: "Request body", content: body(detail.requestBody)),
            .init(
                title: "Response",
                content: .values([("Status", status), ("Fault", exchange.fault ?? "None")])),
            .init(title: "Response headers", content: headers(detail.responseHeaders)),
            .init(title: "Response body", content: body(detail.responseBody)),
            .init(
                title: timingsTitle,
                content: .values(
                    phases.compactMap { name, duration in
                        duration.map { (name, $0.twoDecimals + " ms") }
                    })),
        ]
    }
}
