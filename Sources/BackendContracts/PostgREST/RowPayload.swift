import Backend
import TableSchemas
import Web

/// The rows in a request's body, converted to the columns' types.
struct RowPayload: Sendable {
    /// The columns that the statement names.
    let columns: [TableSchema.Column]
    /// For each row its members, by column.
    let rows: [[String: JSON]]

    static let maxDepth = 32
    private static let maxValues = 500_000

    /// Reads JSON, CSV or a form. `columns` are those that the query names.
    init(_ request: Request, _ schema: TableSchema, columns: [String]?, now: Int64)
        throws(RestFailure)
    {
        let objects: [[JSON.Member]]
        var names = columns
        switch request.mediaType {
        case "", "application/json": objects = try Self.objects(request, isRaw: columns != nil)
        case "text/csv":
            objects = try Self.csvRecords(request)
            names = nil
        case "application/x-www-form-urlencoded":
            guard let items = (try? Form(request))?.items else { throw .invalidBody }
            objects = [items.map { .init($0.name, .string($0.value)) }]
            names = nil
        case let type: throw .unsupportedContentType(type)
        }
        var found: [TableSchema.Column] = []
        for name in names ?? objects.first?.map(\.name) ?? [] {
            guard let column = schema.column(name) else {
                throw .columnNotInSchemaCache(name, of: schema.name)
            }
            if !found.contains(where: { $0.name == name }) { found.append(column) }
        }
        self.columns = found
        var rows: [[String: JSON]] = []
        for object in objects {
            var row: [String: JSON] = [:]
            for member in object {
                guard let column = found.first(where: { $0.name == member.name }) else { continue }
                do throws(ValueError) {
                    row[column.name] = try column.type.value(of: member.value, now: now)
                } catch { throw RestFailure(error, member: column.name) }
            }
            rows.append(row)
        }
        self.rows = rows
    }

    /// The objects of an array, or the only one. A raw body is read by the database, which fills
    /// in the members that an object does not have.
    private static func objects(_ request: Request, isRaw: Bool) throws(RestFailure)
        -> [[JSON.Member]]
    {
        guard
            let json = try? JSONReader.read(
                request.body, maxDepth: maxDepth, maxValues: maxValues)
        else {
            guard isRaw, let text = String(validating: request.body, as: UTF8.self),
                let error = JSONSyntax.error(in: text)
            else { throw .invalidBody }
            throw RestFailure(error)
        }
        switch json {
        case .object(let members): return [members]
        case .array(let elements):
            let objects = elements.compactMap { element -> [JSON.Member]? in
                if case .object(let members) = element { members } else { nil }
            }
            let first = Set(objects.first?.map(\.name) ?? [])
            guard objects.count == elements.count else {
                throw isRaw ? .elementsNoObjects : .differingKeys
            }
            guard isRaw || objects.allSatisfy({ Set($0.map(\.name)) == first }) else {
                throw .differingKeys
            }
            return objects
        // Anything else counts as an empty array.
        default:
            guard isRaw else { return [] }
            throw .scalarBody
        }
    }

    /// The fields by the names in the first line. `NULL` is null.
    private static func csvRecords(_ request: Request) throws(RestFailure) -> [[JSON.Member]] {
        guard let text = String(validating: request.body, as: UTF8.self),
            let records = CSVText.records(text), let header = records.first
        else { throw .invalidBody }
        guard records.allSatisfy({ $0.count == header.count }) else { throw .differingLines }
        return records.dropFirst().map { record in
            zip(header, record).map { .init($0, $1 == "NULL" ? .null : .string($1)) }
        }
    }
}
