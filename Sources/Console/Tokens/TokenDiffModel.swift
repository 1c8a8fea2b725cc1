import FoundationEssentials
import Web

/// Two tokens claim by claim (`tokens/diff`).
struct TokenDiffModel: Encodable, Sendable {
    /// `2 changed, 1 added, 6 the same`.
    var sumText: String
    var beforeName: String
    var afterName: String
    var diffRows: [Row]
    var anyRows: Bool

    struct Row: Encodable, Sendable {
        var claim: String
        /// `header` or `claims`.
        var part: String
        /// `added`, `removed`, `changed`, `same`.
        var kind: String
        var before: String
        var after: String
        /// Of a time: `14:34:02, 5:00 later`.
        var meaning: String?
    }

    init(_ diff: TokenDiff, before: String, after: String) {
        sumText = diff.rows.isEmpty
            ? "Neither is a JWT that could be compared"
            : TokenDiff.Kind.allCases.compactMap { kind in
                let count = diff.count(kind)
                return count == 0
                    ? nil
                    : "\(count) " + (kind == .same ? "the same" : kind.rawValue)
            }.joined(separator: ", ")
        beforeName = before
        afterName = after
        anyRows = !diff.rows.isEmpty
        diffRows = diff.rows.prefix(Self.shown).map(Row.init)
    }

    /// A stranger's token may have any number of claims.
    private static let shown = 80
}

extension TokenDiffModel.Row {
    init(_ row: TokenDiff.Row) {
        self.init(
            claim: row.name, part: row.part, kind: row.kind.rawValue,
            before: Self.text(row.before), after: Self.text(row.after),
            meaning: Self.meaning(row))
    }

    private static func text(_ value: JSON?) -> String {
        value?.said.cut(to: 200) ?? "–"
    }

    private static func meaning(_ row: TokenDiff.Row) -> String? {
        guard ["iat", "nbf", "exp", "auth_time"].contains(row.name),
            row.part == "claims", let after = (row.after ?? row.before)?.int
        else { return nil }
        let time = Words.moment(Date(timeIntervalSince1970: Double(after)))
        guard row.kind == .changed, let before = row.before?.int else {
            return time
        }
        let moved = Double(after) - Double(before)
        return time + ", " + Words.span(moved.magnitude)
            + (moved < 0 ? " earlier" : " later")
    }
}

/// A comparison of a session's tokens (`sessions/compare`).
struct CompareModel: Encodable, Sendable {
    var frame: FrameModel
    var backURL: String
    var backText: String
    var diff: TokenDiffModel
    /// Other pairs of the same session.
    var others: [Other]

    struct Other: Encodable, Sendable {
        var href: String
        var text: String
    }
}
