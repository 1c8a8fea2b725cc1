import TableSchemas
import Web

/// The tables of a contract, and how they are related.
struct TableCatalog: Sendable {
    let tables: [TableSchema]

    init(tables: [TableSchema]) { self.tables = TableSchema.withDistinctNames(tables) }

    func table(_ name: String) throws(RestFailure) -> TableSchema {
        guard let table = tables.first(where: { $0.name == name }) else {
            throw .tableNotFound(name, hint: SimilarName.best(name, of: tables.map(\.name), 0.75))
        }
        return table
    }

    /// The table and the column of a foreign key.
    func foreignKey(_ name: String) -> (table: TableSchema, column: TableSchema.Column)? {
        for table in tables {
            for column in table.columns
            where column.reference != nil && table.foreignKeyName(column.name) == name {
                return (table, column)
            }
        }
        return nil
    }

    /// The relationship between a table and the resource that a query embeds in it.
    func relationship(_ source: TableSchema, _ embed: SelectItem.Embed) throws(RestFailure)
        -> Relationship
    {
        let found = relationships(of: source).filter { relationship in
            let isNamed =
                relationship.target.name == embed.name || relationship.foreignKey == embed.name
                || relationship.isToOne && relationship.sourceColumn == embed.name
            guard isNamed, let hint = embed.hint else { return isNamed }
            return [
                relationship.foreignKey, relationship.sourceColumn, relationship.targetColumn,
                relationship.junction?.table.name, relationship.target.name,
            ].contains(hint)
        }
        guard let first = found.first else {
            let names = relationships(of: source).map(\.target.name)
            throw .noRelationship(
                source.name, embed.name, hint: embed.hint,
                similar: names.contains(embed.name)
                    ? nil : SimilarName.best(embed.name, of: names, 0.33))
        }
        guard found.count > 1 else { return first }
        throw .ambiguousRelationship(
            source.name, embed.name,
            found.map { relationship in
                (
                    relationship.foreignKey,
                    [
                        "cardinality": .string(relationship.cardinality),
                        "embedding": .string("\(source.name) with \(relationship.target.name)"),
                        "relationship": .string(
                            "\(relationship.foreignKey) using \(source.name)"
                                + "(\(relationship.sourceColumn)) and \(relationship.target.name)"
                                + "(\(relationship.targetColumn))"),
                    ]
                )
            })
    }

    private func relationships(of source: TableSchema) -> [Relationship] {
        var found: [Relationship] = []
        for column in source.columns {
            guard case .table(let name, let key)? = column.reference?.target,
                let target = tables.first(where: { $0.name == name })
            else { continue }
            found.append(
                Relationship(
                    target: target, foreignKey: source.foreignKeyName(column.name),
                    sourceColumn: column.name, targetColumn: key, isToOne: true,
                    cardinality: source.isUnique(column.name) ? "one-to-one" : "many-to-one"))
        }
        for table in tables {
            for column in table.columns {
                guard case .table(source.name, let key)? = column.reference?.target else {
                    continue
                }
                let isSingle = table.isUnique(column.name)
                found.append(
                    Relationship(
                        target: table, foreignKey: table.foreignKeyName(column.name),
                        sourceColumn: key, targetColumn: column.name, isToOne: isSingle,
                        cardinality: isSingle ? "one-to-one" : "one-to-many"))
                // A table with foreign keys in its primary key joins two others.
                guard table.primaryKey.contains(column.name) else { continue }
                for other in table.columns
                where other.name != column.name && table.primaryKey.contains(other.name) {
                    guard case .table(let name, let otherKey)? = other.reference?.target,
                        let target = tables.first(where: { $0.name == name })
                    else { continue }
                    found.append(
                        Relationship(
                            target: target, foreignKey: table.name, sourceColumn: key,
                            targetColumn: otherKey, isToOne: false, cardinality: "many-to-many",
                            junction: (table, column.name, other.name)))
                }
            }
        }
        return found
    }
}

/// How the rows of a table are joined with those of another one.
struct Relationship: Sendable {
    let target: TableSchema
    /// The name of the foreign key, or of the table between both.
    let foreignKey: String
    let sourceColumn: String
    let targetColumn: String
    let isToOne: Bool
    let cardinality: String
    /// The table between both, with its columns for the source and the target.
    var junction: (table: TableSchema, source: String, target: String)?
}
