import Backend
import FoundationEssentials
import Web

/// One column of `order=full_name.desc.nullslast,created_at`.
struct SocotoSortOrder: Sendable {
    let column: SocotoProfileRow.Column
    let isDescending: Bool
    let hasNullsFirst: Bool

    static func parse(_ text: String) throws(SocotoRestFailure) -> [SocotoSortOrder] {
        var list: [SocotoSortOrder] = []
        for part in text.split(separator: ",") {
            let components = part.split(separator: ".")
            var isDescending = false
            var nulls: Bool?
            for modifier in components.dropFirst() {
                switch modifier {
                case "asc": isDescending = false
                case "desc": isDescending = true
                case "nullsfirst": nulls = true
                case "nullslast": nulls = false
                default: throw .parseError(text, "order")
                }
            }
            guard let name = components.first else { throw .parseError(text, "order") }
            list.append(
                SocotoSortOrder(
                    column: try SocotoQuery.parseColumn(name), isDescending: isDescending,
                    // PostgreSQL sorts null after every value.
                    hasNullsFirst: nulls ?? isDescending))
        }
        return list
    }

    static func precedes(
        _ left: SocotoProfileRow, _ right: SocotoProfileRow, _ order: [SocotoSortOrder]
    ) -> Bool {
        for rule in order {
            let a = left[rule.column]
            let b = right[rule.column]
            switch (a == .null, b == .null) {
            case (true, true): continue
            case (true, false): return rule.hasNullsFirst
            case (false, true): return !rule.hasNullsFirst
            case (false, false): break
            }
            let first = comparisonKey(a, rule.column.type)
            let second = comparisonKey(b, rule.column.type)
            if first != second { return (first < second) != rule.isDescending }
        }
        return false
    }

    /// The text by which values of a type are compared.
    static func comparisonKey(_ value: JSON, _ kind: SocotoProfileRow.ColumnType) -> String {
        let text = value.string ?? value.description
        switch kind {
        case .text: return text
        case .uuid: return text.lowercased()
        case .jsonb: return ((try? JSON(parsing: text)) ?? value).description
        case .timestamp: return parseTime(text).map(\.iso8601) ?? text
        }
    }

    static func parseTime(_ text: String) -> Date? {
        Date(iso8601: text) ?? Date(iso8601: text.replacing(" ", with: "T")) ?? Date(
            iso8601: text.replacing(" ", with: "T") + "Z") ?? Date(iso8601: text + "T00:00:00Z")
    }
}
