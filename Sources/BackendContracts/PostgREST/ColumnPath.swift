import TableSchemas
import Web

/// A row as it is stored.
struct TableRow: Sendable, Equatable {
    let id: Int64
    /// In the order of the table's columns.
    var values: [JSON]
}

/// A column, or a value inside it.
struct ColumnPath: Sendable, Equatable {
    let index: Int
    let name: String
    let columnType: ColumnType
    let steps: [JSONStep]

    init(_ name: String, _ steps: [JSONStep] = [], of schema: TableSchema) throws(RestFailure) {
        guard let index = schema.index(of: name) else {
            throw .columnNotFound(name, of: schema)
        }
        self.index = index
        self.name = name
        self.steps = steps
        columnType = schema.columns[index].type
    }

    /// Parses `column->key->>name`.
    init(_ parser: inout QueryParser, of schema: TableSchema) throws(RestFailure) {
        let name = try parser.name()
        try self.init(name, try parser.jsonSteps(), of: schema)
    }

    /// The type of the values.
    var type: ColumnType {
        guard let last = steps.last else { return columnType }
        return ColumnType(last.isText ? .text : .jsonb)
    }

    /// The name in a response: the last member's.
    var responseName: String {
        for step in steps.reversed() { if case .name(let name) = step.key { return name } }
        return name
    }

    func value(in row: TableRow) -> JSON {
        var value = row.values[index]
        for step in steps {
            switch step.key {
            case .name(let name): value = value[name] ?? .null
            case .index(let index):
                let elements = value.elements
                value = value[index < 0 ? elements.count + index : index] ?? .null
            }
            if step.isText, value != .null {
                value = .string(value.scalarText ?? value.description)
            }
        }
        return value
    }
}

/// A term of `order`.
struct SortTerm: Sendable {
    let path: Path
    let isDescending: Bool
    let hasNullsFirst: Bool

    enum Path: Sendable {
        case column(ColumnPath)
        /// A column of an embedded row, by the position of the embed.
        case embedded(String, String, [JSONStep])
    }

    /// Parses `a.desc.nullslast,data->>b,author(name).asc`.
    static func parse(_ text: String, of schema: TableSchema) throws(RestFailure) -> [SortTerm] {
        guard !text.isEmpty else { return [] }
        var parser = QueryParser(text, "order")
        var terms: [SortTerm] = []
        repeat {
            parser.skipSpaces()
            let name = try parser.name()
            let path: Path
            if parser.take("(") {
                let column = try parser.name()
                path = .embedded(name, column, try parser.jsonSteps())
                try parser.expect(")")
            } else {
                path = .column(try ColumnPath(name, try parser.jsonSteps(), of: schema))
            }
            var isDescending = false
            var nulls: Bool?
            while parser.take(".") {
                switch try parser.name() {
                case "asc": isDescending = false
                case "desc": isDescending = true
                case "nullsfirst": nulls = true
                case "nullslast": nulls = false
                default:
                    throw parser.failure(
                        expecting: "\"asc\", \"desc\", \"nullsfirst\" or \"nullslast\"")
                }
            }
            terms.append(
                SortTerm(
                    path: path, isDescending: isDescending,
                    // PostgreSQL sorts null after every value.
                    hasNullsFirst: nulls ?? isDescending))
        } while parser.take(",")
        guard parser.isAtEnd else {
            throw parser.failure(expecting: "\",\", \".\" or end of input")
        }
        return terms
    }

    /// Whether `left` comes first; nil if the term does not decide.
    func precedes(_ left: JSON, _ right: JSON, _ type: ColumnType) -> Bool? {
        switch (left == .null, right == .null) {
        case (true, true): return nil
        case (true, false): return hasNullsFirst
        case (false, true): return !hasNullsFirst
        case (false, false): break
        }
        let order = type.compare(left, right)
        return order == 0 ? nil : (order < 0) != isDescending
    }
}
