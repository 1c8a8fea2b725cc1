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
