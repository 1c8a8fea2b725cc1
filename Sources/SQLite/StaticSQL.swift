/// SQL text with `?` placeholders; values never enter it.
///
/// It is written as a literal. Only other `StaticSQL` can be interpolated, so user input cannot
/// become SQL: `"SELECT \(columns) FROM accounts"`.
package struct StaticSQL: Sendable, Hashable, ExpressibleByStringInterpolation {
    package let text: String

    package init(stringLiteral value: String) { text = value }

    package init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

    private init(text: String) { self.text = text }

    /// `?, ?, ?` for a list of `count` values.
    ///
    /// Every count is a separate statement in the cache: round a varying `count` up and bind NULL
    /// to the unused ones.
    package static func placeholders(_ count: Int) -> StaticSQL {
        StaticSQL(text: Array(repeating: "?", count: count).joined(separator: ", "))
    }

    /// The parts with `separator` between them, for optional conditions.
    package static func joined(_ parts: [StaticSQL], separator: StaticSQL) -> StaticSQL {
        StaticSQL(text: parts.map(\.text).joined(separator: separator.text))
    }

    /// Accepts only literals and other SQL.
    package struct StringInterpolation: StringInterpolationProtocol, Sendable {
        fileprivate var text = ""

        package init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + 32 * interpolationCount)
        }

        package mutating func appendLiteral(_ literal: String) { text += literal }

        package mutating func appendInterpolation(_ sql: StaticSQL) { text += sql.text }
    }
}
