import Apps
import TableSchemas
import Testing
import Web

/// The tables of a manifest's backends.
@Suite(.timeLimit(.minutes(10))) struct TableManifestTests {
    private static let embedded = "embedded: { base: 'embedded:small/api' }"

    private static func tables(_ text: String) throws -> [TableSchema] {
        let app = try Manifests.app(
            (embedded, "embedded: { base: 'embedded:small/api', tables: { \(text) } }"))
        return app.backends[0].tables
    }

    @Test func `a table has the columns, keys and rules that the manifest declares`() throws {
        let tables = try Self.tables(
            """
            notes: {
              columns: {
                id: { type: 'bigint', default: 'identity' },
                owner: { type: 'uuid', default: 'auth.uid()', references: 'auth.users' },
                title: { type: 'varchar(40)', required: true, minLength: 2, unique: true },
                tags: { type: 'text[]', default: [] },
                rating: { type: 'integer', min: 1, max: 5, in: [1, 3, 5] },
                parent: { type: 'bigint', references: 'notes.id', onDelete: 'set null' },
                added_at: { type: 'timestamptz', default: 'now()' },
              },
              primaryKey: 'id', unique: [['owner', 'title']],
              rules: {
                select: 'all', insert: { owner: 'owner' },
                update: [{ owner: 'owner', where: { rating: 1 } }, { claims: { 'app_metadata.role': 'admin' } }],
              },
              signUp: { owner: 'id', title: ['data.name', 'email', { value: 'mine' }] },
            }
            """)
        let notes = try #require(tables.first)
        #expect(notes.primaryKey == ["id"])
        #expect(notes.uniqueKeys == [["owner", "title"], ["title"]])
        #expect(
            notes.columns.map(\.type.name).prefix(4) == [
                "bigint", "uuid", "character varying", "text[]",
            ])
        #expect(notes.column("id")?.defaultValue == .identity)
        #expect(notes.column("id")?.isRequired == true)
        #expect(notes.column("rating")?.check == .init(min: 1, max: 5, oneOf: [1, 3, 5]))
        #expect(
            notes.column("parent")?.reference
                == .init(.table("notes", column: "id"), onDelete: .setNull))
        #expect(notes.rules[.select] == [RowRule()])
        #expect(notes.rules[.insert] == [RowRule([.authenticated], ownerColumn: "owner")])
        #expect(notes.rules[.update]?.count == 2)
        #expect(notes.rules[.delete] == nil)
        #expect(
            notes.signUpRow == [
                SignUpValue("owner", .id),
                SignUpValue("title", .metadata("name"), .email, .constant("mine")),
            ])
    }

    private static func invalid(_ table: String, at path: String, _ message: String)
        -> InvalidManifest
    {
        InvalidManifest(
            embedded, "embedded: { base: 'embedded:small/api', tables: { t: { \(table) } } }",
            at: "backends.embedded.tables.t" + path, message: message)
    }

    @Test(arguments: [
        invalid("columns: { id: { type: 'uid' } }", at: ".columns.id.type", "Did you mean uuid?"),
        invalid(
            "columns: { id: { type: 'integer', defaul: 1 } }",
            at: ".columns.id.defaul", "default"),
        invalid(
            "columns: { id: { type: 'integer', default: 'x' } }", at: ".columns.id.default",
            "invalid input syntax for type integer"),
        invalid(
            "columns: { id: { type: 'text', default: 'now()' } }", at: ".columns.id.default",
            "now()"),
        invalid(
            "columns: { id: { type: 'text', references: 'auth.users' } }",
            at: ".columns.id.references", "uuid"),
        invalid(
            "columns: { id: { type: 'uuid', references: 'other.id' } }",
            at: ".columns.id.references",
            "Unknown table other"),
        invalid("columns: { id: { type: 'uuid' } }, primaryKey: 'idd'", at: ".primaryKey", "id"),
        invalid(
            "columns: { id: { type: 'uuid' } }, rules: { selct: 'all' }", at: ".rules.selct",
            "select"),
        invalid(
            "columns: { id: { type: 'uuid' } }, rules: { select: 'everyone' }", at: ".rules.select",
            "Invalid role"),
        invalid(
            "columns: { id: { type: 'uuid' } }, rules: { select: { owner: 'x' } }",
            at: "", "owner x"),
        invalid(
            "columns: { id: { type: 'uuid' } }, signUp: { id: 'uid' }", at: ".signUp.id", "data."),
        InvalidManifest(
            "local: { base: 'http://localhost:3000' }",
            "local: { base: 'http://localhost:3000', tables: {} }", at: "backends.local.tables",
            message: "embedded base"),
    ]) func `a mistake in a table is an error with its place and fix`(_ invalid: InvalidManifest)
        throws
    { try invalid.expectError() }
}
