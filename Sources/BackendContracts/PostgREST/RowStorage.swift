import Backend
import SQLite
import TableSchemas
import Web

/// The rows of one contract's tables in a workspace, inside a read or a write. Every change checks
/// the table's constraints.
struct RowStorage {
    let connection: Connection
    let realm: Realm
    let catalog: TableCatalog
    let role: Requester.Role

    /// The most rows of a table; a query reads them all.
    static let maxRowCount = 10_000
    /// The maximum size in bytes of a row as JSON.
    static let maxByteCount = 16_384

    private var realmValues: [Value] { [.text(realm.workspace), .text(realm.contract)] }

    // MARK: Reading

    func rows(of schema: TableSchema) throws -> [TableRow] {
        try connection.rows(
            """
            SELECT id, columns FROM table_rows
            WHERE workspace = ? AND contract = ? AND name = ? ORDER BY id
            """, realmValues + [.text(schema.name)]
        ) { Self.row($0, schema) }
    }

    func row(_ id: Int64, of schema: TableSchema) throws -> TableRow? {
        try connection.row(
            "SELECT id, columns FROM table_rows WHERE id = ? AND name = ?",
            [.integer(id), .text(schema.name)]
        ) { Self.row($0, schema) }
    }

    /// The row with these values of a primary or unique key; nil if one is null.
    func row(of schema: TableSchema, key name: String, _ columns: [String], _ values: [JSON])
        throws -> TableRow?
    {
        guard let value = Self.keyValue(columns, values, schema),
            let id = try rowID(key: name, value)
        else { return nil }
        return try row(id, of: schema)
    }

    private func rowID(key name: String, _ value: String) throws -> Int64? {
        try connection.integer(
            """
            SELECT row FROM row_keys
            WHERE workspace = ? AND contract = ? AND key_name = ? AND value = ?
            """, realmValues + [.text(name), .text(value)])
    }

    private static func row(_ row: Row, _ schema: TableSchema) -> TableRow {
        let json = (try? JSON(parsing: row.text(1))) ?? .null
        let members = Dictionary(json.members.map { ($0.name, $0.value) }) { $1 }
        return TableRow(
            id: row.integer(0), values: schema.columns.map { members[$0.name] ?? .null })
    }

    private static func keyValue(_ columns: [String], _ values: [JSON], _ schema: TableSchema)
        -> String?
    {
        let key = columns.map { schema.index(of: $0).map { values[$0] } ?? .null }
        return key.contains(.null) ? nil : JSON.array(key).description
    }

    /// The next number of a column's sequence.
    func nextNumber(of column: String, _ schema: TableSchema) throws -> Int64 {
        let key = realmValues + [.text("\(schema.name).\(column)")]
        try connection.run(
            """
            INSERT INTO row_sequences VALUES (?, ?, ?, 1)
            ON CONFLICT DO UPDATE SET last = last + 1
            """, key)
        return try connection.integer(
            "SELECT last FROM row_sequences WHERE workspace = ? AND contract = ? AND name = ?",
            key) ?? 1
    }

    // MARK: Writing

    /// The row of a sign-up is added to a full table too.
    func insert(_ values: [JSON], into schema: TableSchema, isSignUp: Bool = false) throws
        -> TableRow
    {
        try checkValues(values, schema)
        if !isSignUp { try checkRowCount(schema) }
        try connection.run(
            "INSERT INTO table_rows (workspace, contract, name, columns) VALUES (?, ?, ?, ?)",
            realmValues + [.text(schema.name), .text(Self.json(values, schema).description)])
        let row = TableRow(id: connection.lastInsertedID, values: values)
        try addKeys(row, schema)
        try addLinks(row, schema)
        return row
    }

    private func checkRowCount(_ schema: TableSchema) throws {
        let count = try connection.count(
            "SELECT count(*) FROM table_rows WHERE workspace = ? AND contract = ? AND name = ?",
            realmValues + [.text(schema.name)])
        guard count < Self.maxRowCount else {
            throw RestFailure.tableFull(schema.name, limit: Self.maxRowCount)
        }
    }

    func update(_ row: TableRow, from old: TableRow, of schema: TableSchema) throws {
        guard row != old else { return }
        try checkValues(row.values, schema)
        for key in schema.keys
        where Self.keyValue(key.columns, row.values, schema)
            != Self.keyValue(key.columns, old.values, schema)
        { try checkUnreferenced(old, key.columns, schema) }
        try connection.run(
            "UPDATE table_rows SET columns = ? WHERE id = ?",
            [.text(Self.json(row.values, schema).description), .integer(row.id)])
        try connection.run("DELETE FROM row_keys WHERE row = ?", [.integer(row.id)])
        try connection.run("DELETE FROM row_links WHERE row = ?", [.integer(row.id)])
        try addKeys(row, schema)
        try addLinks(row, schema)
    }

    /// Deletes a row, and does with the rows that refer to it what their foreign keys say. Rows may
    /// refer to each other in a circle.
    func delete(_ row: TableRow, of schema: TableSchema) throws {
        var deleted: Set = [row.id]
        var remaining = [(row: row, schema: schema)]
        // The rows that may not lose their parent, unless they are deleted too.
        var restricted: [(id: Int64, failure: RestFailure)] = []
        while let parent = remaining.popLast() {
            for (id, key) in try children(of: parent.row) where !deleted.contains(id) {
                guard let (table, column) = catalog.foreignKey(key),
                    let child = try self.row(id, of: table)
                else { continue }
                switch column.reference?.onDelete {
                case .cascade:
                    deleted.insert(id)
                    remaining.append((child, table))
                case .setNull:
                    var changed = child
                    if let index = table.index(of: column.name) { changed.values[index] = .null }
                    try update(changed, from: child, of: table)
                case .restrict, nil:
                    restricted.append(
                        (id, stillReferenced(parent.row, parent.schema, by: table, column)))
                }
            }
        }
        if let kept = restricted.first(where: { !deleted.contains($0.id) }) { throw kept.failure }
        for id in deleted {
            try connection.run("DELETE FROM table_rows WHERE id = ?", [.integer(id)])
        }
    }

    private func children(of row: TableRow) throws -> [(id: Int64, key: String)] {
        try connection.rows(
            "SELECT row, key_name FROM row_links WHERE parent = ?", [.integer(row.id)]
        ) { ($0.integer(0), $0.text(1)) }
    }

    private func checkUnreferenced(_ row: TableRow, _ columns: [String], _ schema: TableSchema)
        throws
    {
        for (_, key) in try children(of: row) {
            guard let (table, column) = catalog.foreignKey(key),
                case .table(_, let target)? = column.reference?.target, columns == [target]
            else { continue }
            throw stillReferenced(row, schema, by: table, column)
        }
    }

    private func stillReferenced(
        _ row: TableRow, _ schema: TableSchema, by table: TableSchema, _ column: TableSchema.Column
    ) -> RestFailure {
        guard case .table(_, let key)? = column.reference?.target,
            let index = schema.index(of: key)
        else { return .noMatchingConstraint }
        return .stillReferenced(
            schema.name, table.foreignKeyName(column.name), by: table.name, key,
            schema.columns[index].type.text(of: row.values[index]), role)
    }

    private static func json(_ values: [JSON], _ schema: TableSchema) -> JSON {
        .object(zip(schema.columns, values).map { .init($0.name, $1) })
    }

    private func checkValues(_ values: [JSON], _ schema: TableSchema) throws(RestFailure) {
        for (column, value) in zip(schema.columns, values)
        where column.isRequired && value == .null {
            throw .notNullViolation(column.name, values, schema, role)
        }
        for (column, value) in zip(schema.columns, values)
        where column.check?.accepts(value) == false {
            throw .checkViolation(schema.checkName(column.name), values, schema, role)
        }
        guard Self.json(values, schema).bytes.count <= Self.maxByteCount else {
            throw .checkViolation("\(schema.name)_length_check", [], schema, .authenticated)
        }
    }

    private func addKeys(_ row: TableRow, _ schema: TableSchema) throws {
        for key in schema.keys {
            guard let value = Self.keyValue(key.columns, row.values, schema) else { continue }
            guard try rowID(key: key.name, value) == nil else {
                let texts = key.columns.map { column in
                    schema.index(of: column).map {
                        schema.columns[$0].type.text(of: row.values[$0])
                    } ?? ""
                }
                throw RestFailure.duplicateKey(key.name, key.columns, texts, role)
            }
            try connection.run(
                "INSERT INTO row_keys VALUES (?, ?, ?, ?, ?)",
                [.integer(row.id)] + realmValues + [.text(key.name), .text(value)])
        }
    }

    private func addLinks(_ row: TableRow, _ schema: TableSchema) throws {
        for (column, value) in zip(schema.columns, row.values) {
            guard let reference = column.reference, value != .null else { continue }
            let key = schema.foreignKeyName(column.name)
            let text = column.type.text(of: value)
            var (account, parent): (Value, Value) = (.null, .null)
            let targetName: String
            switch reference.target {
            case .users:
                targetName = "users"
                let exists = try connection.exists(
                    "SELECT 1 FROM accounts WHERE workspace = ? AND contract = ? AND id = ?",
                    realmValues + [.text(text)])
                if exists { account = .text(text) }
            case .table(let name, let targetKey):
                targetName = name
                // A table that is no longer declared is no obstacle.
                guard let target = catalog.tables.first(where: { $0.name == name }),
                    let keyName = target.keys.first(where: { $0.columns == [targetKey] })?.name
                else { continue }
                if let id = try rowID(key: keyName, JSON.array([value]).description) {
                    parent = .integer(id)
                }
            }
            guard account != .null || parent != .null else {
                throw RestFailure.missingReference(
                    schema.name, key, column.name, text, target: targetName, role)
            }
            try connection.run(
                "INSERT INTO row_links VALUES (?, ?, ?, ?, ?)",
                [
                    .integer(row.id), .text(key), account, parent,
                    .integer(reference.onDelete == .cascade ? 1 : 0),
                ])
        }
    }
}
