import Backend
import FoundationEssentials
import Web

/// The column values in a request body, converted to the columns' types.
struct SocotoRowChanges: Sendable {
    private var values: [(column: SocotoProfileRow.Column, value: JSON)] = []

    var isEmpty: Bool { values.isEmpty }

    /// Reads the single object of a body.
    init(single request: Request) throws(SocotoRestFailure) {
        let all = try Self.parseAll(request)
        guard let first = all.first else { throw .invalidBody }
        self = first
    }

    /// Reads the object, or the array of objects, of a body.
    static func parseAll(_ request: Request) throws(SocotoRestFailure) -> [SocotoRowChanges] {
        guard let json = try? JSONReader.read(request.body, maxDepth: SocotoAuthBody.maxDepth)
        else {
            throw .invalidBody
        }
        var all: [SocotoRowChanges] = []
        if case .array(let elements) = json {
            for element in elements { all.append(try SocotoRowChanges(element)) }
        } else {
            all.append(try SocotoRowChanges(json))
        }
        return all
    }

    private init(_ json: JSON) throws(SocotoRestFailure) {
        guard case .object(let members) = json else { throw .invalidBody }
        for member in members {
            guard let column = SocotoProfileRow.Column(rawValue: member.name) else {
                throw .columnNotInSchemaCache(member.name)
            }
            values.append((column, try Self.value(member.value, for: column)))
        }
    }

    /// Throws if the row would lack a required value or be too large.
    func apply(to row: inout SocotoProfileRow) throws(SocotoRestFailure) {
        for (column, value) in values { row[column] = value }
        for column in SocotoProfileRow.Column.allCases
        where !column.isNullable && row[column] == .null {
            throw .notNullViolation(column)
        }
        guard row.json.bytes.count <= SocotoUser.maxByteCount else { throw .rowTooLong }
    }

    private static func value(_ json: JSON, for column: SocotoProfileRow.Column)
        throws(SocotoRestFailure)
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
            guard let date = SocotoSortOrder.parseTime(text) else {
                throw .invalidInput(.timestamp, text)
            }
            return .string(SocotoProfileRow.formatTime(Timestamp(date)))
        }
    }
}
