import Web

/// The differences between two exchanges, section by section.
///
/// Tokens are compared by value and shown masked. Different tokens with the same masked form get a
/// number to tell them apart.
package struct ExchangeDiff: Sendable, Equatable {
    package var sections: [Section]

    /// A part of the exchanges.
    package struct Section: Sendable, Equatable {
        /// `Request`, `Request headers` …
        package var title: String
        /// Only the differences.
        package var rows: [Row]
        /// The number of values equal in both.
        package var unchangedCount: Int
    }

    /// A value that differs.
    package struct Row: Sendable, Equatable {
        /// A header name, a JSON Pointer or a line number.
        package var path: String
        /// Nil if only the new exchange has the value.
        package var old: String?
        package var new: String?

        package var kind: Kind { old == nil ? .added : new == nil ? .removed : .changed }
    }

    /// How the value differs.
    package enum Kind: String, Sendable, CaseIterable { case added, removed, changed }

    /// Whether nothing but the timings differs.
    package var isEqualExceptTiming: Bool {
        sections.filter { $0.title != Self.timingsTitle }.allSatisfy(\.rows.isEmpty)
    }

    private static let timingsTitle = "Timings"

    /// `aTokens` and `bTokens` are the unmasked tokens by index; they are compared and not stored.
    package init(_ a: ExchangeDetail, _ aTokens: [String], _ b: ExchangeDetail, _ bTokens: [String])
    {
        let names = Self.tokenNames([(a, aTokens), (b, bTokens)])
        let old = ComparedExchange(a, aTokens, names)
        let new = ComparedExchange(b, bTokens, names)
        func body(_ title: String, _ read: (ComparedExchange) -> String?) -> Section {
            BodyDiff.section(title, read(old), read(new))
        }
        func values(_ title: String, _ read: (ComparedExchange) -> [(String, String)]) -> Section {
            Self.section(title, read(old), read(new))
        }
        sections = [
            values("Request", \.request),
            values("Request headers") { $0.values(of: $0.detail.requestHeaders) },
            body("Request body") { $0.text(of: $0.detail.requestBody) },
            values("Response", \.response),
            values("Response headers") { $0.values(of: $0.detail.responseHeaders) },
            body("Response body") { $0.text(of: $0.detail.responseBody) },
            values(Self.timingsTitle, \.timings),
        ]
    }

    /// Masked names for the tokens of two exchanges: equal tokens get equal names, different tokens
    /// different ones.
    private static func tokenNames(_ exchanges: [(ExchangeDetail, [String])]) -> [String: String] {
        var names: [String: String] = [:]
        var counts: [String: Int] = [:]
        for (detail, tokens) in exchanges {
            for (token, masked) in zip(tokens, detail.tokens) where names[token] == nil {
                let count = counts[masked, default: 0] + 1
                counts[masked] = count
                names[token] = count == 1 ? masked : "\(masked) (\(count))"
            }
        }
        return names
    }

    /// Rows in the order of `old`, then those only in `new`.
    static func section(_ title: String, _ old: [(String, String)], _ new: [(String, String)])
        -> Section
    {
        var remaining: [String: [String]] = [:]
        for (path, value) in new { remaining[path, default: []].append(value) }
        var rows: [Row] = []
        var unchangedCount = 0
        for (path, value) in old {
            let other = remaining[path].flatMap { $0.isEmpty ? nil : $0[0] }
            if other != nil { remaining[path]?.removeFirst() }
            if other == value {
                unchangedCount += 1
            } else {
                rows.append(Row(path: path, old: value, new: other))
            }
        }
        for (path, _) in new {
            guard let value = remaining[path]?.first else { continue }
            remaining[path]?.removeFirst()
            rows.append(Row(path: path, old: nil, new: value))
        }
        return Section(title: title, rows: rows, unchangedCount: unchangedCount)
    }
}

/// One side of a comparison: its values by path, with names for its tokens.
private struct ComparedExchange {
    let detail: ExchangeDetail
    private let tokens: [String]

    init(_ detail: ExchangeDetail, _ tokens: [String], _ names: [String: String]) {
        self.detail = detail
        self.tokens = zip(tokens, detail.tokens).map { names[$0] ?? $1 }
    }

    private func fill(_ text: String) -> String { detail.filled(text, with: tokens) }

    var request: [(String, String)] {
        let url = URLParts(fill(detail.exchange.url))
        return [("Method", detail.exchange.method), ("URL", String(url.textBeforeQuery))]
            + url.queryItems.map { ("?" + $0.name, $0.value) }
    }

    var response: [(String, String)] {
        let exchange = detail.exchange
        let failure = "No response: \(exchange.failure?.detail ?? "")"
        return [
            ("Status", exchange.status.map(String.init) ?? failure),
            ("Fault", exchange.fault ?? "None"),
        ]
    }

    var timings: [(String, String)] {
        let timings = detail.exchange.timings
        let phases: [(String, Double?)] = [
            ("DNS lookup", timings.nameLookup), ("Connect", timings.connect), ("TLS", timings.tls),
            ("Waiting (TTFB)", timings.firstByte), ("Duration", timings.total),
        ]
        return phases.compactMap { name, duration in duration.map { (name, $0.twoDecimals + " ms") }
        }
    }

    func values(of headers: Headers) -> [(String, String)] {
        headers.fields.map { ($0.name.lowercased(), fill($0.value)) }
    }

    func text(of body: ExchangeDetail.RecordedBody) -> String? {
        body.length == 0 ? nil : body.text.map(fill) ?? "Binary data, \(body.length) bytes"
    }
}

/// Compares two bodies: JSON value by value, any other text line by line.
enum BodyDiff {
    static func section(_ title: String, _ old: String?, _ new: String?) -> ExchangeDiff.Section {
        if let oldValues = old.flatMap(flatten), let newValues = new.flatMap(flatten) {
            return ExchangeDiff.section(title, oldValues, newValues)
        }
        return lineSection(title, lines(of: old), lines(of: new))
    }

    // MARK: JSON

    private static func flatten(_ text: String) -> [(String, String)]? {
        guard let json = try? JSONReader.read(Array(text.utf8)) else { return nil }
        switch json {
        case .object, .array: break
        default: return nil
        }
        var values: [(String, String)] = []
        collectValues(json, "", &values)
        return values
    }

    /// Values beyond this number are not compared.
    private static let maxValues = 5_000

    private static func collectValues(
        _ json: JSON, _ pointer: String, _ values: inout [(String, String)]
    ) {
        guard values.count < maxValues else { return }
        switch json {
        case .object(let members) where !members.isEmpty:
            for member in members {
                let name = member.name.replacing("~", with: "~0").replacing("/", with: "~1")
                collectValues(member.value, pointer + "/" + name, &values)
            }
        case .array(let elements) where !elements.isEmpty:
            for (index, element) in elements.enumerated() {
                collectValues(element, pointer + "/\(index)", &values)
            }
        default: values.append((pointer, json.description))
        }
    }

    // MARK: Text

    /// Lines beyond this number are not compared: the cost is quadratic.
    private static let maxLines = 1_000

    private static func lines(of text: String?) -> [Substring] {
        guard let text else { return [] }
        return Array(text.split(separator: "\n", omittingEmptySubsequences: false).prefix(maxLines))
    }

    private static func lineSection(_ title: String, _ old: [Substring], _ new: [Substring])
        -> ExchangeDiff.Section
    {
        var removed: [Int: Substring] = [:]
        var inserted: [Int: Substring] = [:]
        for change in new.difference(from: old) {
            switch change {
            case .remove(let offset, let line, _): removed[offset] = line
            case .insert(let offset, let line, _): inserted[offset] = line
            }
        }
        var rows = removed.sorted { $0.key < $1.key }.map { offset, line in
            ExchangeDiff.Row(path: "Line \(offset + 1)", old: String(line), new: nil)
        }
        for (offset, line) in inserted.sorted(by: { $0.key < $1.key }) {
            let path = "Line \(offset + 1)"
            if let index = rows.firstIndex(where: { $0.path == path && $0.new == nil }) {
                rows[index].new = String(line)
            } else {
                rows.append(ExchangeDiff.Row(path: path, old: nil, new: String(line)))
            }
        }
        return ExchangeDiff.Section(
            title: title, rows: rows, unchangedCount: old.count - removed.count)
    }
}
