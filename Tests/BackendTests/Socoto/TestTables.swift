import TableSchemas
import Web

/// The tables of a library, as an app might declare them.
enum TestTables {
    static let all = [authors, books, shelves, shelfBooks]

    static let authors = TableSchema(
        name: "authors",
        columns: [
            .init("id", ColumnType(.bigint), isRequired: true, defaultValue: .identity),
            .init("name", ColumnType(.text), isRequired: true, check: .init(minLength: 2)),
            .init("born", ColumnType(.date)),
        ], primaryKey: ["id"], uniqueKeys: [["name"]], rules: [.select: [RowRule()]])

    private static let owner = [RowRule([.authenticated], ownerColumn: "owner")]

    static let books = TableSchema(
        name: "books",
        columns: [
            .init("id", ColumnType(.integer), isRequired: true, defaultValue: .identity),
            .init(
                "owner", ColumnType(.uuid), defaultValue: .userID,
                reference: .init(.users, onDelete: .cascade)),
            .init(
                "author", ColumnType(.bigint),
                reference: .init(.table("authors", column: "id"), onDelete: .cascade)),
            .init(
                "editor", ColumnType(.bigint),
                reference: .init(.table("authors", column: "id"), onDelete: .setNull)),
            .init("title", ColumnType(.varchar, maxLength: 20), isRequired: true),
            .init("pages", ColumnType(.integer), check: .init(min: 1, max: 5_000)),
            .init("price", ColumnType(.numeric)),
            .init("tags", ColumnType(.text, isArray: true), defaultValue: .literal([])),
            .init("data", ColumnType(.jsonb), defaultValue: .literal([:])),
            .init("sold", ColumnType(.boolean), defaultValue: .literal(false)),
            .init(
                "state", ColumnType(.text), defaultValue: .literal("new"),
                check: .init(oneOf: ["new", "used"])),
            .init("added_at", ColumnType(.timestamptz), defaultValue: .now),
        ], primaryKey: ["id"],
        rules: [
            .select: [RowRule([.authenticated]), RowRule(values: ["sold": true])],
            .insert: owner, .update: owner, .delete: owner,
        ])

    static let shelves = TableSchema(
        name: "shelves",
        columns: [
            .init("id", ColumnType(.integer), isRequired: true),
            .init("label", ColumnType(.text)),
            .init(
                "parent", ColumnType(.integer),
                reference: .init(.table("shelves", column: "id"), onDelete: .cascade)),
        ], primaryKey: ["id"], rules: [.select: [RowRule()]])

    static let shelfBooks = TableSchema(
        name: "shelf_books",
        columns: [
            .init(
                "shelf", ColumnType(.integer), isRequired: true,
                reference: .init(.table("shelves", column: "id"))),
            .init(
                "book", ColumnType(.integer), isRequired: true,
                reference: .init(.table("books", column: "id"), onDelete: .cascade)),
        ], primaryKey: ["shelf", "book"], rules: [.select: [RowRule()]])
}
