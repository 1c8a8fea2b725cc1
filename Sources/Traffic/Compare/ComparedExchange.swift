import Web

/// An exchange as lists of paths and values, prepared for comparison.
struct ComparedExchange {
    let requestLine: [(String, String)]
    let requestHeaders: [(String, String)]
    let requestBody: String?
    let responseSummary: [(String, String)]
    let responseHeaders: [(String, String)]
    let responseBody: String?
    let timings: [(String, String)]

    init(_ detail: ExchangeDetail, _ tokens: [String]) {
        func fill(_ text: String) -> String { detail.filled(text, with: tokens) }
        func headers(_ headers: Headers) -> [(String, String)] {
            headers.fields.map { ($0.name.lowercased(), fill($0.value)) }
        }
        func body(_ body: ExchangeDetail.RecordedBody) -> String? {
            guard body.length > 0 else { return nil }
            return body.text.map(fill) ?? "Binary data, \(body.length) bytes"
        }
        let exchange = detail.exchange
        let url = URLParts(fill(exchange.url))
        requestLine =
            [("Method", exchange.method), ("URL", String(url.textBeforeQuery))]
            + url.queryItems.map { ("?" + $0.name, $0.value) }
        requestHeaders = headers(detail.requestHeaders)
        requestBody = body(detail.requestBody)
        responseSummary = [
            (
                "Status",
                exchange.status.map(String.init) ?? "No response: \(exchange.failure?.detail ?? "")"
            ), ("Fault", exchange.fault ?? "None"),
        ]
        responseHeaders = headers(detail.responseHeaders)
        responseBody = body(detail.responseBody)
        let times = exchange.timings
        let phases: [(String, Double?)] = [
            ("DNS lookup", times.nameLookup), ("Connect", times.connect), ("TLS", times.tls),
            ("Waiting (TTFB)", times.firstByte), ("Duration", times.total),
        ]
        timings = phases.compactMap { name, duration in
            duration.map { (name, $0.twoDecimals + " ms") }
        }
    }
}
