import Backend
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
        var response = Response.json(body, status: status)
        // A page beyond the last row is a result, not an error of the request.
        if row.headers["Content-Range"] == nil {
            response.headers["Proxy-Status"] = "PostgREST; error=\(code)"
        }
        for field in row.headers.fields { response.headers[field.name] = field.value }
        return response
    }

    func with(hint: String?) -> Self {
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

    static func invalidCallMethod(_ method: Method) -> Self {
        Self(405, "PGRST101", "Cannot use the \(method.rawValue) method on RPC", [.route])
    }

    /// `hint` is the name of a similar table.
    static func tableNotFound(_ name: String, hint: String?) -> Self {
        Self(
            404, "PGRST205",
            "Could not find the table 'public.\(name.prefix(60))' in the schema cache", [.route]
        ).with(hint: hint.map { "Perhaps you meant the table 'public.\($0)'" })
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

    static func notAcceptable(_ types: [String]) -> Self {
        let list = types.joined(separator: ", ").prefix(200)
        return Self(406, "PGRST107", "None of these media types are available: \(list)")
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

    /// A body whose columns the query names is read by the database.
    static let scalarBody = Self(
        400, "22023", "cannot call json_to_recordset on a scalar", [.body])
    static let elementsNoObjects = Self(
        400, "22023", "argument of json_to_recordset must be an array of objects", [.body])

    static func unsupportedContentType(_ type: String) -> Self {
        Self(400, "PGRST102", "Content-Type not acceptable: \(type.prefix(60))", [.body])
    }

    static func notSingleRow(_ count: Int) -> Self {
        Self(
            406, "PGRST116", "Cannot coerce the result to a single JSON object", [.state],
            details: "The result contains \(count) rows")
    }

    /// No row can be in the page.
    static func invalidRange(isReversed: Bool) -> Self {
        Self(
            416, "PGRST103", "Requested range not satisfiable",
            details: .string(
                isReversed
                    ? "The lower boundary must be lower than or equal to the upper boundary in "
                        + "the Range header."
                    : "Limit should be greater than or equal to zero."))
    }

    /// The page begins after the last row. Its response also has headers of a result.
    static func offsetBeyond(_ offset: Int, total: Int, headers: Headers) -> Self {
        Self(
            416, "PGRST103", "Requested range not satisfiable", [.state],
            details: .string(
                "An offset of \(offset) was requested, but there are only \(total) rows."),
            headers: headers)
    }

    static let negativeLimit = Self(400, "2201W", "LIMIT must not be negative")
    static let negativeOffset = Self(400, "2201X", "OFFSET must not be negative")

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

    /// `hint` is the one of the query, `similar` the name of a related table.
    static func noRelationship(
        _ source: String, _ target: String, hint: String?, similar: String?
    ) -> Self {
        let via = hint.map { " using the hint '\($0.prefix(60))'" } ?? ""
        return Self(
            400, "PGRST200",
            "Could not find a relationship between '\(source)' and '\(target.prefix(60))' in the "
                + "schema cache",
            details: """
                Searched for a foreign key relationship between '\(source)' and \
                '\(target.prefix(60))'\(via) in the schema 'public', but no matches were found.
                """
        ).with(
            hint: similar.map { "Perhaps you meant '\($0)' instead of '\(target.prefix(60))'." })
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

    static let emptyToken = unauthorized("PGRST301", "Empty JWT is sent in Authorization header")
    static let unknownSigningKey = unauthorized(
        "PGRST301", "No suitable key or wrong key type",
        details: "None of the keys was able to decode the JWT")
    static let unsignedToken = unauthorized(
        "PGRST301", "Wrong or unsupported encoding algorithm",
        details: "JWT is unsecured but expected 'alg' was not 'none'")
    static let undecodableToken = unauthorized("PGRST301", "JWT cryptographic operation failed")
    static let tokenExpired = unauthorized("PGRST303", "JWT expired")

    /// The database has no role of the token's `role` claim.
    static func unknownRole(_ name: String) -> Self {
        Self(
            401, "22023", "role \"\(name.prefix(60))\" does not exist", .anyToken,
            headers: ["WWW-Authenticate": "Bearer"])
    }

    private static func unauthorized(_ code: String, _ message: String, details: JSON? = nil)
        -> Self
    {
        Self(
            401, code, message, .anyToken, details: details,
            headers: [
                "WWW-Authenticate":
                    "Bearer error=\"invalid_token\", error_description=\"\(message)\""
            ])
    }
}
