import Backend
import FoundationEssentials
import Web

/// A row of the table `profiles`.
struct ProfileRow: Sendable, Equatable {
    /// A value for every column.
    private(set) var values: [JSON]

    /// The columns in the table's order.
    enum Column: String, Sendable, CaseIterable {
        case id, email
        case fullName = "full_name"
        case role
        case avatarURL = "avatar_url"
        case bio, location
        case phoneNumber = "phone_number"
        case preferences
        case createdAt = "created_at"
        case updatedAt = "updated_at"

        var type: ColumnType {
            switch self {
            case .id: .uuid
            case .preferences: .jsonb
            case .createdAt, .updatedAt: .timestamp
            default: .text
            }
        }

        var isNullable: Bool {
            switch self {
            case .id, .email, .fullName, .role: false
            default: true
            }
        }

        fileprivate var index: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }

    enum ColumnType: String, Sendable {
        case uuid, text, jsonb
        case timestamp = "timestamp with time zone"
    }

    /// A row with the table's default values.
    init(at now: Timestamp) {
        values = Column.allCases.map { _ in .null }
        self[.role] = "user"
        self[.createdAt] = .string(Self.formatTime(now))
        self[.updatedAt] = .string(Self.formatTime(now))
    }

    /// The row that the sign-up trigger creates from the user's metadata.
    init(of account: Account, _ metadata: [JSON.Member]) {
        self.init(at: account.createdAt)
        let fields = JSON.object(metadata)
        self[.id] = .string(account.id)
        self[.email] = .string(account.email ?? "")
        self[.fullName] = .string(fields["full_name"]?.scalarText ?? "")
        self[.avatarURL] = JSON(fields["avatar_url"]?.scalarText)
        // Null counts as absent.
        let roles = ["role", "user_type"].compactMap { fields[$0]?.scalarText }
        if let role = roles.first { self[.role] = .string(role) }
    }

    init?(_ json: JSON) {
        guard case .object = json else { return nil }
        values = Column.allCases.map { json[$0.rawValue] ?? .null }
    }

    subscript(column: Column) -> JSON {
        get { values[column.index] }
        set { values[column.index] = newValue }
    }

    var json: JSON { .object(zip(Column.allCases, values).map { .init($0.rawValue, $1) }) }

    /// As PostgreSQL formats a time: without a fraction if it is zero.
    static func formatTime(_ time: Timestamp) -> String {
        let parts = time.date.iso8601.dropLast().split(separator: ".")
        var fraction = parts.count > 1 ? parts[1] : ""
        while fraction.last == "0" { fraction.removeLast() }
        return parts[0] + (fraction.isEmpty ? "" : "." + fraction) + "+00:00"
    }
}

/// The column values in a request body, converted to the columns' types.
struct RowChanges: Sendable {
    private var values: [(column: ProfileRow.Column, value: JSON)] = []

    var isEmpty: Bool { values.isEmpty }

    /// Reads the single object of a body.
    init(single request: Request) throws(RestFailure) {
        let all = try Self.parseAll(request)
        guard let first = all.first else { throw .invalidBody }
        self = first
    }

    /// Reads the object, or the array of objects, of a body.
    static func parseAll(_ request: Request) throws(RestFailure) -> [RowChanges] {
        guard let json = try? JSONReader.read(request.body, maxDepth: GoTrueBody.maxDepth) else {
            throw .invalidBody
        }
        var all: [RowChanges] = []
        if case .array(let elements) = json {
            for element in elements { all.append(try RowChanges(element)) }
        } else {
            all.append(try RowChanges(json))
        }
        return all
    }

    private init(_ json: JSON) throws(RestFailure) {
        guard case .object(let members) = json else { throw .invalidBody }
        for member in members {
            guard let column = ProfileRow.Column(rawValue: member.name) else {
                throw .columnNotInSchemaCache(member.name)
            }
            values.append((column, try Self.value(member.value, for: column)))
        }
    }

    /// Throws if the row would lack a required value or be too large.
    func apply(to row: inout ProfileRow) throws(RestFailure) {
        for (column, value) in values { row[column] = value }
        for column in ProfileRow.Column.allCases where !column.isNullable && row[column] == .null {
            throw .notNullViolation(column)
        }
        guard row.json.bytes.count <= SocotoUser.maxByteCount else { throw .rowTooLong }
    }

    private static func value(_ json: JSON, for column: ProfileRow.Column) throws(RestFailure)
        -> JSON
    {
        guard json != .null else { return .null }
        let text = json.scalarText ?? json.description
        switch column.type {
        case .jsonb: return json
        case .text: return .string(text)
        case .uuid:
            guard let id = RandomTokens.uuid(parsing: text) else {
                throw .invalidInput(.uuid, text)
            }
            return .string(id)
        case .timestamp:
            guard let date = SortOrder.parseTime(text) else {
                throw .invalidInput(.timestamp, text)
            }
            return .string(ProfileRow.formatTime(Timestamp(date)))
        }
    }
}

/// A failure response of the REST server. It always has the same four members, nulls included.
struct RestFailure: ServerFailure {
    let row: FailureRow

    var response: Response {
        let isSchema = code == Self.invalidSchemaCode
        let body: JSON = [
            "code": .string(code), "details": details ?? .null,
            "hint": isSchema ? "Only the following schemas are exposed: public" : .null,
            "message": .string(message),
        ]
        let headers = ["Proxy-Status": "PostgREST; error=\(code)"] as Headers
        return .json(body, status: status, headers: Headers(headers.fields + row.headers.fields))
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

    private static let invalidSchemaCode = "PGRST106"

    static func invalidSchema(_ name: String) -> Self {
        Self(406, invalidSchemaCode, "Invalid schema: \(name.prefix(60))")
    }

    static func parseError(_ text: String, _ element: String) -> Self {
        Self(
            400, "PGRST100",
            "\"failed to parse \(element) (\(text.prefix(60)))\" (line 1, column 1)",
            details: "unexpected input")
    }

    static let invalidBody = Self(400, "PGRST102", "Empty or invalid json", [.body])

    static func notSingleRow(_ count: Int) -> Self {
        Self(
            406, "PGRST116", "Cannot coerce the result to a single JSON object", [.state],
            details: "The result contains \(count) rows")
    }

    static func invalidRange(_ details: String) -> Self {
        Self(
            416, "PGRST103", "Requested range not satisfiable", [.state], details: .string(details))
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

    // MARK: PostgreSQL's errors

    static func columnNotFound(_ name: String) -> Self {
        Self(400, "42703", "column profiles.\(name.prefix(60)) does not exist")
    }

    /// The error for an unknown column in a body.
    static func columnNotInSchemaCache(_ name: String) -> Self {
        Self(
            400, "PGRST204",
            "Could not find the '\(name.prefix(60))' column of 'profiles' in the schema cache")
    }

    static func invalidInput(_ kind: ProfileRow.ColumnType, _ text: String) -> Self {
        Self(
            400, kind == .timestamp ? "22007" : "22P02",
            "invalid input syntax for type \(kind.rawValue): \"\(text.prefix(60))\"")
    }

    /// No policy lets a user add a row, or change a row into another user's.
    static func policyViolation(_ role: ProjectAPIKeys.Role) -> Self {
        Self(
            role == .anon ? 401 : 403, "42501",
            "new row violates row-level security policy for table \"profiles\"", [.permission],
            headers: role == .anon ? ["WWW-Authenticate": "Bearer"] : [:])
    }

    static func notNullViolation(_ column: ProfileRow.Column) -> Self {
        Self(
            400, "23502",
            "null value in column \"\(column.rawValue)\" of relation "
                + "\"profiles\" violates not-null constraint")
    }

    /// A row that is too large, as a real table's check constraint would report it.
    static let rowTooLong = Self(
        400, "23514",
        "new row for relation \"profiles\" violates check constraint \"profiles_length_check\"")

    static func duplicateID(_ id: String) -> Self {
        Self(
            409, "23505", "duplicate key value violates unique constraint \"profiles_pkey\"",
            [.state], details: "Key (id)=(\(id)) already exists.")
    }

    static func unknownUser(_ id: String) -> Self {
        Self(
            409, "23503",
            "insert or update on table \"profiles\" violates foreign key "
                + "constraint \"profiles_id_fkey\"", [.state],
            details: "Key (id)=(\(id)) is not present in table \"users\".")
    }
}
