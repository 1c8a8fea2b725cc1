import Backend
import TableSchemas
import Web

/// A failure response of the REST server. It always has the same four members, nulls included.
struct RestFailure: ServerFailure {
    let row: FailureRow
    var hint: String?

    init(row: FailureRow) { self.row = row }

    var response: Response {
        let body: JSON = [
            "code": .string(code), "details": details ?? .null, "hint": JSON(hint),
            "message": .string(message),
        ]
        let headers = ["Proxy-Status": "PostgREST; error=\(code)"] as Headers
        return .json(body, status: status, headers: Headers(headers.fields + row.headers.fields))
    }

    private func with(hint: String) -> Self {
        var failure = self
        failure.hint = hint
        return failure
    }

    // MARK: The request

    static let invalidPath = Self(
        404, "PGRST125", "Invalid path specified in request URL", [.route])

    static func unsupportedMethod(_ method: Method) -> Self {
        Self(405, "PGRST117", "Unsupported HTTP method: \(method.rawValue.prefix(20))", [.route])
    }

    static func tableNotFound(_ name: String) -> Self {
        Self(
            404, "PGRST205",
            "Could not find the table 'public.\(name.prefix(60))' in the schema cache", [.route])
    }

    /// `parameters` are the names of the arguments; a body may be a single unnamed one.
    static func functionNotFound(_ name: String, _ parameters: [String], isPost: Bool) -> Self {
        let function = "public.\(name.prefix(60))"
        let list = parameters.sorted().joined(separator: ", ").prefix(200)
        let described =
            parameters.isEmpty
            ? " without parameters"
            : " with parameter\(parameters.count == 1 ? "" : "s") \(list)"
        return Self(
            404, "PGRST202",
            "Could not find the function \(function)"
                + (parameters.isEmpty ? " without parameters" : "(\(list))")
                + " in the schema cache", [.route],
            details: .string(
                "Searched for the function \(function)\(described)"
                    + (isPost ? " or with a single unnamed json/jsonb parameter" : "")
                    + ", but no matches were found in the schema cache."))
    }

    static func invalidSchema(_ name: String) -> Self {
        Self(406, "PGRST106", "Invalid schema: \(name.prefix(60))").with(
            hint: "Only the following schemas are exposed: public")
    }

    static func notAcceptable(_ types: String) -> Self {
        Self(
            406, "PGRST107", "None of these media types are available: \(types.prefix(100))")
    }

    static func parseError(
        _ text: some StringProtocol, _ element: String, at column: Int = 1,
        details: String = "unexpected input"
    ) -> Self {
        Self(
            400, "PGRST100",
            "\"failed to parse \(element) (\(text.prefix(60)))\" (line 1, column \(column))",
            details: .string(details))
    }

    static let invalidBody = Self(400, "PGRST102", "Empty or invalid json", [.body])
    static let differingKeys = Self(400, "PGRST102", "All object keys must match", [.body])
    static let differingLines = Self(400, "PGRST102", "All lines must have same number of fields")

    static func unsupportedContentType(_ type: String) -> Self {
        Self(400, "PGRST102", "Content-Type not acceptable: \(type.prefix(60))", [.body])
    }

    static func notSingleRow(_ count: Int) -> Self {
        Self(
            406, "PGRST116", "Cannot coerce the result to a single JSON object", [.state],
            details: "The result contains \(count) rows")
    }

    static func invalidRange(_ details: String) -> Self {
        Self(
            416, "PGRST103", "Requested range not satisfiable", [.state], details: .string(details))
    }

    static func invalidPreferences(_ names: [String]) -> Self {
        let list = names.joined(separator: ", ").prefix(100)
        return Self(
            400, "PGRST122", "Invalid preferences given with handling=strict",
            details: "Invalid preferences: \(list)")
    }

    static func tooManyAffected(_ count: Int) -> Self {
        Self(
            400, "PGRST124", "Query result exceeds max-affected preference constraint", [.state],
            details: "The query affects \(count) rows")
    }

    static let noAggregates = Self(
        400, "PGRST123", "Use of aggregate functions is not allowed")

    // MARK: PUT

    static let incompletePutFilters = Self(
        405, "PGRST105",
        "Filters must include all and only primary key columns with 'eq' operators")
    static let putRange = Self(
        400, "PGRST114", "limit/offset querystring parameters are not allowed for PUT")
    static let putMismatch = Self(
        400, "PGRST115", "Payload values do not match URL in primary key column(s)")

    // MARK: Embedded resources

    static func noRelationship(_ source: String, _ target: String, hint: String?) -> Self {
        let via = hint.map { " using the hint '\($0.prefix(60))'" } ?? ""
        return Self(
            400, "PGRST200",
            "Could not find a relationship between '\(source)' and '\(target.prefix(60))' in the "
                + "schema cache",
            details: """
                Searched for a foreign key relationship between '\(source)' and \
                '\(target.prefix(60))'\(via) in the schema 'public', but no matches were found.
                """)
    }

    /// The choices are pairs of a foreign key and a description.
    static func ambiguousRelationship(
        _ source: String, _ target: String, _ choices: [(key: String, details: JSON)]
    ) -> Self {
        let names = choices.map { "'\(target)!\($0.key)'" }.joined(separator: ", ")
        return Self(
            300, "PGRST201",
            "Could not embed because more than one relationship was found for '\(source)' and "
                + "'\(target)'", details: .array(choices.map(\.details))
        ).with(
            hint: "Try changing '\(target)' to one of the following: \(names). Find the desired "
                + "relationship in the 'details' key.")
    }

    static func notEmbedded(_ name: String) -> Self {
        Self(
            400, "PGRST108",
            "'\(name.prefix(60))' is not an embedded resource in this request"
        ).with(
            hint: "Verify that '\(name.prefix(60))' is included in the 'select' query parameter.")
    }

    static func notToOne(_ source: String, _ target: String) -> Self {
        Self(
            400, "PGRST118",
            "A related order on '\(target.prefix(60))' is not possible",
            details: """
                '\(source)' and '\(target.prefix(60))' do not form a many-to-one or one-to-one \
                relationship
                """)
    }

    // MARK: Authentication

    static func malformedToken(parts: Int) -> Self {
        unauthorized("PGRST301", "Expected 3 parts in JWT; got \(parts)")
    }

    static let unknownSigningKey = unauthorized("PGRST301", "No suitable key or wrong key type")
    static let tokenExpired = unauthorized("PGRST303", "JWT expired")

    private static func unauthorized(_ code: String, _ message: String) -> Self {
        Self(
            401, code, message, .anyToken,
            headers: [
                "WWW-Authenticate":
                    "Bearer error=\"invalid_token\", error_description=\"\(message)\""
            ])
    }
}

/// PostgreSQL's errors.
extension RestFailure {
    static func columnNotFound(_ name: some StringProtocol, of table: String) -> Self {
        Self(400, "42703", "column \(table).\(name.prefix(60)) does not exist")
    }

    /// The error for an unknown column in a body.
    static func columnNotInSchemaCache(_ name: String, of table: String) -> Self {
        Self(
            400, "PGRST204",
            "Could not find the '\(name.prefix(60))' column of '\(table)' in the schema cache")
    }

    init(_ error: ValueError) {
        self.init(400, error.code, error.message, details: JSON(error.details))
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

    static func invalidTextQuery(_ text: String) -> Self {
        Self(400, "42601", "syntax error in tsquery: \"\(text.prefix(60))\"")
    }

    static func unknownType(_ name: String) -> Self {
        Self(400, "42704", "type \"\(name.prefix(60))\" does not exist")
    }

    static let tooMuchWork = Self(
        400, "57014", "canceling statement due to statement timeout",
        details: "The pattern is too long for the rows that it would be matched against.")

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
