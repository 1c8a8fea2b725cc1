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

    /// Reads JSON, CSV or a form.
    init(_ request: Request, _ schema: TableSchema, columns: [String]?, isSingle: Bool)
        throws(RestFailure)
    {
        let objects: [[JSON.Member]]
        let isCSV = request.mediaType == "text/csv"
        switch request.mediaType {
        case "", "application/json", "application/vnd.pgrst.object+json",
            "application/vnd.pgrst.array+json":
            objects = try Self.objects(request)
        case "text/csv": objects = try Self.csvRecords(request)
        case "application/x-www-form-urlencoded":
            guard let items = (try? Form(request))?.items else { throw .invalidBody }
            objects = [items.map { .init($0.name, .string($0.value)) }]
        case let type: throw .unsupportedContentType(type)
        }
        if isSingle, objects.count != 1 { throw .invalidBody }
        let names = columns ?? objects.first?.map(\.name) ?? []
        if columns == nil, !isCSV {
            let first = Set(names)
            guard objects.allSatisfy({ Set($0.map(\.name)) == first }) else {
                throw .differingKeys
            }
        }
        var found: [TableSchema.Column] = []
        for name in names {
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
                    row[column.name] = try column.type.value(of: member.value)
                } catch { throw RestFailure(error) }
            }
            rows.append(row)
        }
        self.rows = rows
    }

    private static func objects(_ request: Request) throws(RestFailure) -> [[JSON.Member]] {
        guard
            let json = try? JSONReader.read(
                request.body, maxDepth: maxDepth, maxValues: maxValues)
        else { throw .invalidBody }
        let elements: [JSON]
        if case .array(let array) = json { elements = array } else { elements = [json] }
        var objects: [[JSON.Member]] = []
        for element in elements {
            guard case .object(let members) = element else { throw .invalidBody }
            objects.append(members)
        }
        return objects
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
