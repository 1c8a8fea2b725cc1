import Backend
import TableSchemas
import Web

/// PostgreSQL's errors.
extension RestFailure {
    static func columnNotFound(_ name: String, of schema: TableSchema) -> Self {
        Self(400, "42703", "column \(schema.name).\(name.prefix(60)) does not exist").with(
            hint: SimilarName.columnHint(name, of: schema))
    }

    /// The error for an unknown column in a body.
    static func columnNotInSchemaCache(_ name: String, of table: String) -> Self {
        Self(
            400, "PGRST204",
            "Could not find the '\(name.prefix(60))' column of '\(table)' in the schema cache")
    }

    /// `member` is the name of the value in a body.
    init(_ error: ValueError, member: String = "") {
        self.init(400, error.code, error.message, details: JSON(error.details))
        if error == .noArray {
            hint = "See the value of key \"\(member)\"."
        } else {
            hint = error.hint
        }
    }

    /// An operator that PostgreSQL has not for a type.
    static func noOperator(_ name: String, on type: ColumnType) -> Self {
        Self(404, "42883", "operator does not exist: \(type.name) \(name) unknown").with(
            hint: "No operator matches the given name and argument types. You might need to add "
                + "explicit type casts.")
    }

    static func notBoolean(_ test: String, _ type: ColumnType) -> Self {
        Self(
            400, "42804", "argument of IS \(test) must be type boolean, not type \(type.name)")
    }

    static func invalidPattern(_ reason: String) -> Self {
        Self(400, "2201B", "invalid regular expression: \(reason)")
    }

    static let patternEndsWithEscape = Self(
        400, "22025", "LIKE pattern must not end with escape character")

    static func invalidTextQuery(_ text: String) -> Self {
        Self(400, "42601", "syntax error in tsquery: \"\(text.prefix(60))\"")
    }

    static func unknownType(_ name: String) -> Self {
        Self(400, "42704", "type \"\(name.prefix(60))\" does not exist")
    }

    static let tooMuchWork = Self(
        400, "57014", "canceling statement due to statement timeout",
        details: "The pattern is too long for the rows that it would be matched against.")

    /// The anonymous role may not call the function.
    static func functionDenied(_ name: String) -> Self {
        Self(
            401, "42501", "permission denied for function \(name)", [.permission],
            headers: ["WWW-Authenticate": "Bearer"])
    }

    /// A GET of a function that writes: its transaction only reads.
    static func readOnlyTransaction(_ command: String) -> Self {
        Self(405, "25006", "cannot execute \(command) in a read-only transaction")
    }

    /// No rule lets the client add this row, or change a row into it.
    static func policyViolation(_ table: String, _ role: Requester.Role, isUsing: Bool = false)
        -> Self
    {
        Self(
            role == .anon ? 401 : 403, "42501",
            "new row violates row-level security policy \(isUsing ? "(USING expression) " : "")"
                + "for table \"\(table)\"", [.permission],
            headers: role == .anon ? ["WWW-Authenticate": "Bearer"] : [:])
    }

    /// Row rules hide the values of a rejected row from all but the service role.
    private static func failingRow(_ row: [JSON], _ schema: TableSchema, _ role: Requester.Role)
        -> JSON
    {
        guard role == .service else { return .null }
        let values = zip(schema.columns, row).map { column, value in
            value == .null ? "null" : String(column.type.text(of: value).prefix(64))
        }
        return .string("Failing row contains (\(values.joined(separator: ", "))).")
    }

    static func notNullViolation(
        _ column: String, _ row: [JSON], _ schema: TableSchema, _ role: Requester.Role
    ) -> Self {
        Self(
            400, "23502",
            "null value in column \"\(column)\" of relation "
                + "\"\(schema.name)\" violates not-null constraint",
            details: failingRow(row, schema, role))
    }

    static func checkViolation(
        _ name: String, _ row: [JSON], _ schema: TableSchema, _ role: Requester.Role
    ) -> Self {
        Self(
            400, "23514",
            "new row for relation \"\(schema.name)\" violates check constraint \"\(name)\"",
            details: failingRow(row, schema, role))
    }

    private static func keyText(_ columns: [String], _ values: [String]) -> String {
        "Key (\(columns.joined(separator: ", ")))=(\(values.joined(separator: ", ")))"
    }

    static func duplicateKey(
        _ name: String, _ columns: [String], _ values: [String], _ role: Requester.Role
    ) -> Self {
        Self(
            409, "23505", "duplicate key value violates unique constraint \"\(name)\"",
            [.state],
            details: role == .service
                ? .string(keyText(columns, values) + " already exists.") : .null)
    }

    static func missingReference(
        _ table: String, _ key: String, _ column: String, _ value: String, target: String,
        _ role: Requester.Role
    ) -> Self {
        Self(
            409, "23503",
            "insert or update on table \"\(table)\" violates foreign key constraint \"\(key)\"",
            [.state],
            details: .string(
                (role == .service ? keyText([column], [value]) : "Key")
                    + " is not present in table \"\(target)\"."))
    }

    static func stillReferenced(
        _ table: String, _ key: String, by other: String, _ column: String, _ value: String,
        _ role: Requester.Role
    ) -> Self {
        Self(
            409, "23503",
            "update or delete on table \"\(table)\" violates foreign key constraint \"\(key)\" "
                + "on table \"\(other)\"", [.state],
            details: .string(
                (role == .service ? keyText([column], [value]) : "Key")
                    + " is still referenced from table \"\(other)\"."))
    }

    static let noMatchingConstraint = Self(
        400, "42P10",
        "there is no unique or exclusion constraint matching the ON CONFLICT specification")

    static let secondConflict = Self(
        400, "21000", "ON CONFLICT DO UPDATE command cannot affect row a second time", [.state]
    ).with(
        hint: "Ensure that no rows proposed for insertion within the same command have duplicate "
            + "constrained values.")

    /// Foyer's limit on the rows of a table.
    static func tableFull(_ table: String, limit: Int) -> Self {
        Self(
            400, "54000", "table \"\(table)\" has its maximum of \(limit) rows", [.state]
        ).with(hint: "Delete rows, or reset the workspace.")
    }
}
