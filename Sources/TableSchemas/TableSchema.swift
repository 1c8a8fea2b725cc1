package import Web

/// The definition of a table: what its CREATE TABLE and its row rules say.
package struct TableSchema: Sendable, Equatable {
    package var name: String
    package var columns: [Column]
    /// Names of columns; empty without a primary key.
    package var primaryKey: [String]
    /// Further unique keys, each the names of its columns.
    package var uniqueKeys: [[String]]
    /// The rules of a command, of which one must allow a row. Without any, no row is allowed; the
    /// service role is subject to none.
    package var rules: [Command: [RowRule]]
    /// The values of the row that a sign-up inserts; empty if it inserts none.
    package var signUpRow: [SignUpValue]
    /// Those that differ from the usual ones, because another table has them.
    private var constraintNames: [Constraint: String] = [:]

    package init(
        name: String, columns: [Column], primaryKey: [String] = [], uniqueKeys: [[String]] = [],
        rules: [Command: [RowRule]] = [:], signUpRow: [SignUpValue] = []
    ) {
        self.name = name
        self.columns = columns
        self.primaryKey = primaryKey
        self.uniqueKeys = uniqueKeys
        self.rules = rules
        self.signUpRow = signUpRow
    }

    /// A column with its constraints.
    package struct Column: Sendable, Equatable {
        package var name: String
        package var type: ColumnType
        package var isRequired: Bool
        package var defaultValue: Default?
        package var check: Check?
        package var reference: Reference?

        package init(
            _ name: String, _ type: ColumnType, isRequired: Bool = false,
            defaultValue: Default? = nil, check: Check? = nil, reference: Reference? = nil
        ) {
            self.name = name
            self.type = type
            self.isRequired = isRequired
            self.defaultValue = defaultValue
            self.check = check
            self.reference = reference
        }
    }

    /// The value of a column that an INSERT does not mention.
    package enum Default: Sendable, Equatable {
        case literal(JSON)
        /// `now()`
        case now
        /// `gen_random_uuid()`
        case randomUUID
        /// `auth.uid()`
        case userID
        /// The next number of the column's sequence.
        case identity
    }

    /// A condition on a column's values; null satisfies it.
    package struct Check: Sendable, Equatable {
        package var minLength: Int?
        package var maxLength: Int?
        package var min: Double?
        package var max: Double?
        /// The values of the column's type that it may have.
        package var oneOf: [JSON]?

        package init(
            minLength: Int? = nil, maxLength: Int? = nil, min: Double? = nil, max: Double? = nil,
            oneOf: [JSON]? = nil
        ) {
            self.minLength = minLength
            self.maxLength = maxLength
            self.min = min
            self.max = max
            self.oneOf = oneOf
        }

        package func accepts(_ value: JSON) -> Bool {
            guard value != .null else { return true }
            if let oneOf, !oneOf.contains(value) { return false }
            if let number = value.number, number < min ?? number || number > max ?? number {
                return false
            }
            guard minLength != nil || maxLength != nil else { return true }
            let length = value.string?.unicodeScalars.count ?? value.elements.count
            return length >= minLength ?? 0 && length <= maxLength ?? .max
        }
    }

    /// A foreign key of one column.
    package struct Reference: Sendable, Equatable {
        package var target: Target
        package var onDelete: DeleteAction

        package init(_ target: Target, onDelete: DeleteAction = .restrict) {
            self.target = target
            self.onDelete = onDelete
        }

        /// What the values must be keys of.
        package enum Target: Sendable, Equatable {
            /// The accounts, `auth.users.id`.
            case users
            case table(String, column: String)
        }

        /// What deleting the row that is referred to does.
        package enum DeleteAction: String, Sendable, CaseIterable {
            case cascade
            case setNull = "set null"
            case restrict
        }
    }

    private enum Constraint: Hashable {
        case check(String)
        case primaryKey
        case unique([String])
        case reference(String)

        /// As PostgreSQL chooses it. `number` counts those that have the same name.
        func name(in table: String, number: Int = 0) -> String {
            let suffix = number == 0 ? "" : String(number)
            return switch self {
            case .check(let column): Self.join(table, column, "check" + suffix)
            case .primaryKey: Self.join(table, nil, "pkey" + suffix)
            case .unique(let columns):
                Self.join(table, columns.joined(separator: "_"), "key" + suffix)
            case .reference(let column): Self.join(table, column, "fkey" + suffix)
            }
        }

        var isIndex: Bool {
            switch self {
            case .primaryKey, .unique: true
            case .check, .reference: false
            }
        }

        private static let maxByteCount = 63

        /// A name of at most 63 bytes, for which the longer of both parts is cut.
        private static func join(_ table: String, _ columns: String?, _ label: String) -> String {
            var (first, second) = (table.utf8.count, columns.map { min(64, $0.utf8.count) } ?? 0)
            let available = maxByteCount - label.utf8.count - (columns == nil ? 1 : 2)
            while first + second > available {
                if first > second { first -= 1 } else { second -= 1 }
            }
            return [String(table.prefix(first)), columns.map { String($0.prefix(second)) }, label]
                .compactMap(\.self).joined(separator: "_")
        }
    }

    /// The constraints in the order in which CREATE TABLE names them.
    private var constraints: [Constraint] {
        columns.filter { $0.check != nil }.map { .check($0.name) }
            + (primaryKey.isEmpty ? [] : [.primaryKey]) + uniqueKeys.map(Constraint.unique)
            + columns.filter { $0.reference != nil }.map { .reference($0.name) }
    }

    /// The tables with constraints of different names, as if they were created in this order. The
    /// names of keys are names of indexes, which no table may have either.
    package static func withDistinctNames(_ tables: [TableSchema]) -> [TableSchema] {
        var names: Set<String> = []
        var relations = Set(tables.map(\.name))
        return tables.map { table in
            var table = table
            for constraint in table.constraints {
                var (name, number) = (constraint.name(in: table.name), 0)
                while names.contains(name) || constraint.isIndex && relations.contains(name) {
                    number += 1
                    name = constraint.name(in: table.name, number: number)
                }
                names.insert(name)
                if constraint.isIndex { relations.insert(name) }
                if number > 0 { table.constraintNames[constraint] = name }
            }
            return table
        }
    }

    package enum Command: String, Sendable, CaseIterable { case select, insert, update, delete }

    package func column(_ name: String) -> Column? { columns.first { $0.name == name } }

    package func index(of column: String) -> Int? { columns.firstIndex { $0.name == column } }

    // MARK: Constraints

    package var primaryKeyName: String { constraintName(.primaryKey) }

    package func uniqueKeyName(_ columns: [String]) -> String { constraintName(.unique(columns)) }

    package func foreignKeyName(_ column: String) -> String { constraintName(.reference(column)) }

    package func checkName(_ column: String) -> String { constraintName(.check(column)) }

    private func constraintName(_ constraint: Constraint) -> String {
        constraintNames[constraint] ?? constraint.name(in: name)
    }

    /// The primary key and the unique keys, by name.
    package var keys: [(name: String, columns: [String])] {
        (primaryKey.isEmpty ? [] : [(primaryKeyName, primaryKey)])
            + uniqueKeys.map { (uniqueKeyName($0), $0) }
    }

    /// Whether at most one row has a value of `column`.
    package func isUnique(_ column: String) -> Bool { keys.contains { $0.columns == [column] } }
}

/// A condition under which a command may see or write a row. Everything it names must hold.
package struct RowRule: Sendable, Equatable {
    package var roles: Set<Role>
    /// The column that must be the id of the signed-in user.
    package var ownerColumn: String?
    /// Texts of the access token's claims, by JSON path: `app_metadata.role`.
    package var claims: [String: String]
    /// Values that the row must have, by column.
    package var values: [String: JSON]

    package init(
        _ roles: Set<Role> = [.anon, .authenticated], ownerColumn: String? = nil,
        claims: [String: String] = [:], values: [String: JSON] = [:]
    ) {
        self.roles = roles
        self.ownerColumn = ownerColumn
        self.claims = claims
        self.values = values
    }

    /// The roles that are subject to rules.
    package enum Role: String, Sendable, CaseIterable { case anon, authenticated }
}

/// A value of the row that a sign-up inserts: the first of its sources that is not null.
package struct SignUpValue: Sendable, Equatable {
    package var column: String
    package var sources: [Source]

    package init(_ column: String, _ sources: Source...) { self.init(column, of: sources) }

    package init(_ column: String, of sources: [Source]) {
        self.column = column
        self.sources = sources
    }

    /// A part of the new account, or a constant.
    package enum Source: Sendable, Equatable {
        case id, email, phone
        /// A member of the user metadata.
        case metadata(String)
        case constant(JSON)
    }
}
