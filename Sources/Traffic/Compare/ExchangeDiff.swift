/// What differs between two exchanges, part by part.
///
/// Tokens are compared by value and shown masked: two that look the same but
/// are not stand with different numbers.
package struct ExchangeDiff: Sendable, Equatable {
    package var sections: [Section]

    package struct Section: Sendable, Equatable {
        /// `Request`, `Headers of the request` …
        package var title: String
        /// Only what differs.
        package var rows: [Row]
        /// How many places are the same in both.
        package var unchangedCount: Int
    }

    package struct Row: Sendable, Equatable {
        /// A header's name, a JSON Pointer, a line's number.
        package var path: String
        /// Nil on the side that does not have it.
        package var old: String?
        package var new: String?

        package var kind: Kind { old == nil ? .added : new == nil ? .removed : .changed }
    }

    package enum Kind: String, Sendable, CaseIterable { case added, removed, changed }

    /// Whether nothing differs but time.
    package var isEqualExceptTiming: Bool {
        sections.filter { $0.title != Self.timingsTitle }.allSatisfy(\.rows.isEmpty)
    }

    private static let timingsTitle = "Timings"

    /// `tokens` are the whole ones, by index; they are looked at and not kept.
    package init(_ a: ExchangeDetail, _ aTokens: [String], _ b: ExchangeDetail, _ bTokens: [String])
    {
        let names = TokenNames([(a, aTokens), (b, bTokens)])
        let one = ComparedExchange(a, names.values(of: a, aTokens))
        let two = ComparedExchange(b, names.values(of: b, bTokens))
        sections = [
            Self.section("Request", one.requestLine, two.requestLine),
            Self.section("Headers of the request", one.requestHeaders, two.requestHeaders),
            BodyDiff.section("Body of the request", one.requestBody, two.requestBody),
            Self.section("Answer", one.responseSummary, two.responseSummary),
            Self.section("Headers of the answer", one.responseHeaders, two.responseHeaders),
            BodyDiff.section("Body of the answer", one.responseBody, two.responseBody),
            Self.section(Self.timingsTitle, one.timings, two.timings),
        ]
    }

    /// Places in the order of the first, then those only the second has.
    static func section(_ title: String, _ old: [(String, String)], _ new: [(String, String)])
        -> Section
    {
        var rest: [String: [String]] = [:]
        for (path, value) in new { rest[path, default: []].append(value) }
        var rows: [Row] = []
        var same = 0
        for (path, value) in old {
            let other = rest[path].flatMap { $0.isEmpty ? nil : $0[0] }
            if other != nil { rest[path]?.removeFirst() }
            if other == value {
                same += 1
            } else {
                rows.append(Row(path: path, old: value, new: other))
            }
        }
        for (path, _) in new {
            guard let value = rest[path]?.first else { continue }
            rest[path]?.removeFirst()
            rows.append(Row(path: path, old: nil, new: value))
        }
        return Section(title: title, rows: rows, unchangedCount: same)
    }
}
