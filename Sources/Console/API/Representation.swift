import Core
import FoundationEssentials
import Web

/// How a value is written as JSON, and the schema of what is written.
struct Representation<Value>: Sendable {
    /// The schema where the value is used; a reference if the representation has a name.
    let schema: JSON
    /// The named schemas to which `schema` refers.
    let components: [JSON.Member]
    let json: @Sendable (Value) -> JSON

    private init(schema: JSON, components: [JSON.Member], json: @escaping @Sendable (Value) -> JSON)
    {
        self.schema = schema
        self.components = components
        self.json = json
    }

    /// An object with all of `members` and no others.
    init(_ members: [Member]) {
        self.init(
            schema: Schema.object(members.map { .init($0.name, $0.schema) }),
            components: members.flatMap(\.components)
        ) { value in .object(members.map { .init($0.name, $0.json(value)) }) }
    }

    /// An object that is a component of the OpenAPI document.
    init(_ name: String, _ members: [Member]) {
        let object = Representation(members)
        self.init(
            schema: Schema.reference(name),
            components: object.components + [.init(name, object.schema)], json: object.json)
    }

    /// JSON of a schema that is a component of the OpenAPI document, written as it is.
    init(_ name: String, schema: JSON) where Value == JSON {
        self.init(schema: Schema.reference(name), components: [.init(name, schema)]) { $0 }
    }

    /// A member of an object.
    struct Member: Sendable {
        let name: String
        let schema: JSON
        let components: [JSON.Member]
        let json: @Sendable (Value) -> JSON
    }
}

extension Representation.Member {
    init(_ name: String, schema: JSON, _ json: @escaping @Sendable (Value) -> JSON) {
        self.init(name: name, schema: schema, components: [], json: json)
    }

    /// A string, number, Boolean or time, or an optional, an array or a dictionary of them.
    init<Field: JSONRepresentable>(
        _ name: String, _ field: @escaping @Sendable (Value) -> Field, description: String? = nil
    ) {
        self.init(name, schema: Schema.described(Field.jsonSchema, description)) {
            field($0).jsonValue
        }
    }

    /// One of the words of an enumeration.
    init<Choice: RawRepresentable<String> & CaseIterable & SendableMetatype>(
        _ name: String, choice: @escaping @Sendable (Value) -> Choice
    ) {
        self.init(name, schema: Schema.choice(of: Choice.self)) { .string(choice($0).rawValue) }
    }

    /// A value with a representation of its own.
    init<Part>(
        _ name: String, _ part: Representation<Part>, _ field: @escaping @Sendable (Value) -> Part
    ) {
        self.init(name: name, schema: part.schema, components: part.components) {
            part.json(field($0))
        }
    }

    /// A value with a representation of its own, or null.
    init<Part>(
        _ name: String, optional part: Representation<Part>,
        _ field: @escaping @Sendable (Value) -> Part?
    ) {
        self.init(name: name, schema: Schema.nullable(part.schema), components: part.components) {
            field($0).map(part.json) ?? .null
        }
    }

    /// An array of values with a representation of their own.
    init<Part>(
        _ name: String, array part: Representation<Part>,
        _ field: @escaping @Sendable (Value) -> [Part]
    ) {
        self.init(name: name, schema: Schema.array(part.schema), components: part.components) {
            .array(field($0).map(part.json))
        }
    }

    /// An object with any names, whose values have a representation of their own.
    init<Part>(
        _ name: String, map part: Representation<Part>,
        _ field: @escaping @Sendable (Value) -> [(String, Part)]
    ) {
        self.init(name: name, schema: Schema.map(part.schema), components: part.components) {
            .object(field($0).map { .init($0.0, part.json($0.1)) })
        }
    }
}

extension Representation.Member {
    /// The same member of another value, which has `part` as a part.
    func of<Whole>(_ part: @escaping @Sendable (Whole) -> Value) -> Representation<Whole>.Member {
        .init(name: name, schema: schema, components: components) { json(part($0)) }
    }
}

/// A page of a list. `next` is the cursor of the next page, nil at the end.
struct ListPage<Item: Sendable>: Sendable {
    let total: Int
    /// False for a total at which counting stopped.
    var totalIsExact = true
    let items: [Item]
    var next: String?
}

extension ListPage {
    /// All items of a list.
    init(_ items: [Item]) { self.init(total: items.count, items: items) }

    /// A page whose cursor is the sequence number of its last item.
    init<Stored>(_ page: KeysetPage<Stored>, _ item: (Stored) -> Item) {
        self.init(
            total: page.total, totalIsExact: page.totalIsExact, items: page.items.map(item),
            next: page.hasOlder ? page.lastCursor?.description : nil)
    }

    init(_ page: KeysetPage<Item>) { self.init(page) { $0 } }
}

extension Representation {
    /// The page of a list; its schema is named after the item's: `SessionList`.
    static func list<Item>(of item: Representation<Item>) -> Self where Value == ListPage<Item> {
        let members: [Member] = [
            .init("total") { $0.total }, .init("totalIsExact") { $0.totalIsExact },
            .init("items", array: item) { $0.items }, .init("next") { $0.next },
        ]
        guard let name = Schema.referencedName(item.schema) else { return Self(members) }
        return Self(name + "List", members)
    }
}

/// A value that is written as JSON in one way, with the schema of what is written.
protocol JSONRepresentable: SendableMetatype {
    static var jsonSchema: JSON { get }
    var jsonValue: JSON { get }
}

extension String: JSONRepresentable {
    static var jsonSchema: JSON { Schema.string }
    var jsonValue: JSON { .string(self) }
}

extension Bool: JSONRepresentable {
    static var jsonSchema: JSON { Schema.bool }
    var jsonValue: JSON { .bool(self) }
}

extension Int: JSONRepresentable {
    static var jsonSchema: JSON { Schema.integer }
    var jsonValue: JSON { .int(Int64(self)) }
}

extension Int64: JSONRepresentable {
    static var jsonSchema: JSON { Schema.integer }
    var jsonValue: JSON { .int(self) }
}

extension Double: JSONRepresentable {
    static var jsonSchema: JSON { Schema.number }
    var jsonValue: JSON { .double(self) }
}

extension Date: JSONRepresentable {
    static var jsonSchema: JSON { Schema.time }
    var jsonValue: JSON { .string(iso8601) }
}

extension Optional: JSONRepresentable where Wrapped: JSONRepresentable {
    static var jsonSchema: JSON { Schema.nullable(Wrapped.jsonSchema) }
    var jsonValue: JSON { map(\.jsonValue) ?? .null }
}

extension Array: JSONRepresentable where Element: JSONRepresentable {
    static var jsonSchema: JSON { Schema.array(Element.jsonSchema) }
    var jsonValue: JSON { .array(map(\.jsonValue)) }
}

/// Members in the order of their names.
extension Dictionary: JSONRepresentable where Key == String, Value: JSONRepresentable {
    static var jsonSchema: JSON { Schema.map(Value.jsonSchema) }
    var jsonValue: JSON {
        .object(sorted { $0.key < $1.key }.map { .init($0.key, $0.value.jsonValue) })
    }
}
