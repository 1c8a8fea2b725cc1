import FoundationEssentials
import Inspection
import Web

/// Two tokens compared claim by claim (`tokens/diff`).
struct TokenDiffModel: Encodable, Sendable {
    /// `2 changed, 1 added, 6 unchanged`.
    var summaryText: String
    var beforeName: String
    var afterName: String
    var diffRows: [Row]
    /// Whether both are alike; false if they cannot be compared.
    var isIdentical: Bool
    var unchangedRows: [Row]

    struct Row: Encodable, Sendable {
        var name: String
        /// `header` or `claims`.
        var part: String
        /// `added`, `removed`, `changed`, `unchanged`.
        var kind: String
        var before: String
        var after: String
        /// For a time claim: its time; in `afterTime` followed by `, 5 min later`.
        var beforeTime: String?
        var afterTime: String?
    }

    init(_ diff: TokenDiff, before: String, after: String) {
        summaryText =
            diff.rows.isEmpty
            ? "Neither token is a JWT"
            : TokenDiff.Kind.allCases.compactMap { kind in
                let count = diff.count(kind)
                return count == 0 ? nil : "\(count) \(kind.rawValue)"
            }.joined(separator: ", ")
        beforeName = before
        afterName = after
        let shown = diff.rows.prefix(Self.rowLimit)
        diffRows = shown.filter { $0.kind != .unchanged }.map(Row.init)
        unchangedRows = shown.filter { $0.kind == .unchanged }.map(Row.init)
        isIdentical = !diff.rows.isEmpty && diff.count(.unchanged) == diff.rows.count
    }

    /// A pasted token may have any number of claims.
    private static let rowLimit = 80
}

extension TokenDiffModel.Row {
    init(_ row: TokenDiff.Row) {
        self.init(
            name: row.name, part: row.part, kind: row.kind.rawValue, before: Self.text(row.before),
            after: Self.text(row.after), beforeTime: Self.time(row, row.before),
            afterTime: Self.time(row, row.after).map { $0 + Self.timeDifference(row) })
    }

    private static func text(_ value: JSON?) -> String {
        value?.displayText.truncated(to: 200) ?? "–"
    }

    /// The time of a claim that is a time.
    private static func time(_ row: TokenDiff.Row, _ value: JSON?) -> String? {
        guard ["iat", "nbf", "exp", "auth_time"].contains(row.name), row.part == "claims",
            let time = value?.dateFromSeconds
        else { return nil }
        return Format.dateTime(time)
    }

    /// `, 5 min later`; empty unless both are times.
    private static func timeDifference(_ row: TokenDiff.Row) -> String {
        guard row.kind == .changed, let before = row.before?.dateFromSeconds,
            let after = row.after?.dateFromSeconds
        else { return "" }
        let difference = after.timeIntervalSince(before)
        return ", " + Format.duration(difference.magnitude)
            + (difference < 0 ? " earlier" : " later")
    }
}
