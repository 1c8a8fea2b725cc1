import TableSchemas
import Web

/// Reads the tables of a backend.
extension TableSchema {
    /// The tables in file order; `base` is the backend's.
    static func read(_ node: ManifestNode, at base: AppBackend.Base) throws -> [TableSchema] {
        guard case .embedded = base else {
            throw node.error(
                "Tables need an embedded base", "Remove them, or write base: 'embedded:<contract>'."
            )
        }
        let tables = try node.readMembers(TableSchema.init)
        for table in tables {
            for column in table.columns {
                guard case .table(let name, let key)? = column.reference?.target,
                    let written = node[table.name]?["columns"]?[column.name]?["references"]
                else { continue }
                guard let target = tables.first(where: { $0.name == name }) else {
                    // A table that cannot be read is already reported.
                    if try !node.members().contains(where: { $0.name == name }) {
                        written.report(
                            "Unknown table \(name)",
                            SpellingSuggestion.fix(name, tables.map(\.name)))
                    }
                    continue
                }
                guard target.isUnique(key), target.column(key)?.type == column.type else {
                    written.report(
                        "\(name).\(key) is no unique column of the type \(column.type.name)",
                        "Refer to a primary key or a unique column of the same type.")
                    continue
                }
            }
        }
        return tables
    }

    init(_ node: ManifestNode, name: String) throws {
        try node.allowOnly(["columns", "primaryKey", "unique", "rules", "signUp"])
        try node.check(
            name.utf8.first?.isLetter == true && name.utf8.count <= 63
                && name.utf8.allSatisfy { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") },
            "Invalid name '\(name)'", "Start with a letter, then use letters, digits and _.")
        let columnsNode = try node.require("columns")
        let columns = try columnsNode.readMembers(Column.init)
        try columnsNode.check(
            !columns.isEmpty && columns.count <= 100, "A table has 1 to 100 columns",
            "Add one: id: { type: 'uuid' }.")
        let names = columns.map(\.name)
        func columnNames(_ node: ManifestNode) throws -> [String] {
            let texts = try node.strings()
            for name in texts {
                try node.check(
                    names.contains(name), "Unknown column \(name)",
                    SpellingSuggestion.fix(name, names))
            }
            return texts
        }
        let primaryKey = try node["primaryKey"].map(columnNames) ?? []
        let uniqueColumns = try columnsNode.members().filter {
            try $0.node["unique"]?.bool() ?? false
        }
        .map { [$0.name] }
        let rules = try node.object("rules").members().reduce(into: [Command: [RowRule]]()) {
            rules, member in
            guard let command = Command(rawValue: member.name) else {
                member.node.report(
                    "Unknown key",
                    SpellingSuggestion.fix(
                        member.name, Command.allCases.map(\.rawValue), label: "Valid keys"))
                return
            }
            if case .array = member.node.value {
                rules[command] = try member.node.elements().map { try RowRule($0, columns) }
            } else {
                rules[command] = [try RowRule(member.node, columns)]
            }
        }
        let signUpRow = try node.object("signUp").members().map { name, value in
            guard let column = columns.first(where: { $0.name == name }) else {
                throw value.error("Unknown column \(name)", SpellingSuggestion.fix(name, names))
            }
            if case .array = value.value {
                return SignUpValue(
                    name, of: try value.elements().map { try SignUpValue.Source($0, column.type) })
            }
            return SignUpValue(name, try SignUpValue.Source(value, column.type))
        }
        self.init(
            name: name,
            columns: columns.map { column in
                var column = column
                column.isRequired = column.isRequired || primaryKey.contains(column.name)
                return column
            }, primaryKey: primaryKey,
            uniqueKeys: (try node["unique"]?.elements().map(columnNames) ?? []) + uniqueColumns,
            rules: rules, signUpRow: signUpRow)
        if let owner = rules.values.joined().lazy.compactMap(\.ownerColumn).first(where: {
            !names.contains($0)
        }) {
            throw node.error(
                "The rules' owner \(owner) is no column", SpellingSuggestion.fix(owner, names))
        }
    }
}

extension TableSchema.Column {
    init(_ node: ManifestNode, name: String) throws {
        try node.allowOnly([
            "type", "required", "default", "unique", "minLength", "maxLength", "min", "max", "in",
            "references", "onDelete",
        ])
        try node.check(
            !name.isEmpty && name.utf8.count <= 63
                && name.utf8.allSatisfy { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") },
            "Invalid name '\(name)'", "Use letters, digits and _.")
        let typeNode = try node.require("type")
        let typeName = try typeNode.string()
        guard let type = ColumnType(typeName.isEmpty ? "text" : typeName) else {
            throw typeNode.error(
                "Unknown type \(typeName)",
                SpellingSuggestion.fix(typeName, ColumnType.names)
                    + " varchar may have a length, and [] makes an array.")
        }
        let defaultValue = try node["default"]?.columnDefault(of: type)
        let length = 0...1_000_000
        let range = -1e15...1e15
        let check = TableSchema.Check(
            minLength: try node["minLength"]?.int(in: length),
            maxLength: try node["maxLength"]?.int(in: length),
            min: try node["min"]?.number(in: range), max: try node["max"]?.number(in: range),
            oneOf: try node["in"]?.elements().map { try $0.columnValue(of: type) })
        let reference = try node["references"].map { reference in
            let action = try node["onDelete"]?.choice(TableSchema.Reference.DeleteAction.self)
            let text = try reference.string()
            if text == "auth.users" {
                try reference.check(
                    type == ColumnType(.uuid), "auth.users has ids of the type uuid",
                    "Write type: 'uuid'.")
                try node["onDelete"]?.check(
                    action == .cascade, "Rows are deleted with their user",
                    "Write 'cascade', or remove it.")
                return TableSchema.Reference(.users, onDelete: .cascade)
            }
            let parts = text.split(separator: ".", maxSplits: 1).map(String.init)
            try reference.check(
                !parts.isEmpty, "No table", "Write 'auth.users', or 'table.column'.")
            return TableSchema.Reference(
                .table(parts.first ?? "", column: parts.count > 1 ? parts[1] : "id"),
                onDelete: action ?? .restrict)
        }
        self.init(
            name, type,
            isRequired: try node["required"]?.bool() ?? (defaultValue == .identity),
            defaultValue: defaultValue, check: check == TableSchema.Check() ? nil : check,
            reference: reference)
    }
}

extension ManifestNode {
    /// A constant of a type.
    fileprivate func columnValue(of type: ColumnType) throws -> JSON {
        do throws(ValueError) { return try type.value(of: value) } catch {
            throw self.error(error.message, "Write a value of the type \(type.name).")
        }
    }

    fileprivate func columnDefault(of type: ColumnType) throws -> TableSchema.Default {
        func function(_ value: TableSchema.Default, _ isType: Bool, _ name: String) throws
            -> TableSchema.Default
        {
            try check(
                isType, "\(name) is no value of the type \(type.name)",
                "Change the type or the default.")
            return value
        }
        let isTime = [.timestamptz, .timestamp, .date].contains(type.scalar) && !type.isArray
        switch value.string {
        case "now()": return try function(.now, isTime, "now()")
        case "gen_random_uuid()":
            return try function(.randomUUID, type == ColumnType(.uuid), "gen_random_uuid()")
        case "auth.uid()": return try function(.userID, type == ColumnType(.uuid), "auth.uid()")
        case "identity": return try function(.identity, type.isInteger, "identity")
        default: return .literal(try columnValue(of: type))
        }
    }
}

extension RowRule {
    init(_ node: ManifestNode, _ columns: [TableSchema.Column]) throws {
        func roles(_ node: ManifestNode) throws -> Set<Role> {
            let text = try node.choice(of: ["all", "anon", "authenticated"], "role")
            return Role(rawValue: text).map { [$0] } ?? Set(Role.allCases)
        }
        if case .string = node.value {
            self.init(try roles(node))
            return
        }
        try node.allowOnly(["role", "owner", "claims", "where"])
        let owner = try node["owner"]?.string()
        let values = try node.object("where").members().reduce(into: [String: JSON]()) {
            values, member in
            guard let column = columns.first(where: { $0.name == member.name }) else {
                throw member.node.error(
                    "Unknown column \(member.name)",
                    SpellingSuggestion.fix(member.name, columns.map(\.name)))
            }
            values[member.name] = try member.node.columnValue(of: column.type)
        }
        self.init(
            try node["role"].map(roles)
                ?? (owner == nil ? Set(Role.allCases) : [.authenticated]),
            ownerColumn: owner,
            claims: try node["claims"]?.dictionary { try $0.scalarText() } ?? [:], values: values)
    }
}

extension SignUpValue.Source {
    init(_ node: ManifestNode, _ type: ColumnType) throws {
        if case .object = node.value {
            try node.allowOnly(["value"])
            self = .constant(try node.require("value").columnValue(of: type))
            return
        }
        let text = try node.string()
        switch text {
        case "id": self = .id
        case "email": self = .email
        case "phone": self = .phone
        default:
            try node.check(
                text.hasPrefix("data.") && text.count > 5, "Invalid source \(text)",
                "Write 'id', 'email', 'phone', 'data.<name>', or { value: … }.")
            self = .metadata(String(text.dropFirst(5)))
        }
    }
}
