/// One step of a schema's history, applied once, in order, in a transaction.
package struct Migration: Sendable {
    /// Its stable name; a file with an unknown name is rejected.
    package let name: String
    /// Statements separated by `;`.
    package let sql: String

    package init(_ name: String, sql: String) {
        self.name = name
        self.sql = sql
    }

    /// The SQL expression that replaces each text on the left by the one on its right, in order.
    package static func replacing(
        _ replacements: KeyValuePairs<String, String>, in expression: String
    ) -> String { replacements.reduce(expression) { "replace(\($0), '\($1.key)', '\($1.value)')" } }
}
