import FoundationEssentials

/// A model's values, as a template sees them.
///
/// All are in one array, linked by their indices, so that a value is found without copying others.
/// The model itself has the index 0.
struct EncodedModel {
    private var values = [Value(name: ""), Value(name: "", content: .flag(true))]
    private static let trueIndex = 1

    fileprivate struct Value {
        /// The name in an object; empty in a list.
        let name: String
        var content = Content.object
        /// The first element of a list, the last member of an object; 0 for none.
        var firstMember = 0
        /// The next element of a list, the previous member of an object; 0 for none.
        var next = 0
        /// The member added last; 0 for none.
        var newestMember = 0
    }

    fileprivate enum Content {
        case flag(Bool)
        case text(String)
        case object, list
    }

    /// Encodes `model` without the members that `referencedNames` does not contain.
    init(_ model: some Encodable, _ referencedNames: ReferencedNames) throws {
        let encoding = ModelEncoding(referencedNames)
        try ModelEncoder(encoding: encoding, index: 0).write(model)
        self = encoding.model
    }

    fileprivate init() { values.reserveCapacity(512) }

    /// Whether a section of it renders.
    func isTrue(_ index: Int) -> Bool {
        switch values[index].content {
        case .flag(let flag): flag
        case .text, .object: true
        case .list: values[index].firstMember > 0
        }
    }

    /// Nil for anything but text and numbers.
    func text(_ index: Int) -> String? {
        if case .text(let text) = values[index].content { text } else { nil }
    }

    /// The member `name` of an object; the last one of a name counts. Of a list `any`, true if it
    /// has elements.
    func member(_ name: String, of index: Int) -> Int? {
        let values = values.span
        var member = values[index].firstMember
        if member > 0, case .list = values[index].content {
            return name == "any" ? Self.trueIndex : nil
        }
        while member > 0, values[member].name != name { member = values[member].next }
        return member > 0 ? member : nil
    }

    /// Calls `body` with each element of a list, or with a value that is none.
    func forEachElement<E>(of index: Int, _ body: (Int) throws(E) -> Void) throws(E) {
        guard case .list = values[index].content else { return try body(index) }
        var element = values[index].firstMember
        while element > 0 {
            try body(element)
            element = values[element].next
        }
    }
}

// MARK: Encoding

extension EncodedModel {
    /// Adds a member to the value at `index`.
    fileprivate mutating func add(_ name: String, to index: Int) -> Int {
        let added = values.count
        var member = Value(name: name)
        let newest = values[index].newestMember
        if case .list = values[index].content, newest > 0 {
            values[newest].next = added
        } else {
            member.next = values[index].firstMember
            values[index].firstMember = added
        }
        values[index].newestMember = added
        values.append(member)
        return added
    }

    fileprivate mutating func set(_ content: Content, at index: Int) {
        values[index].content = content
    }
}

/// A model that is being encoded.
private final class ModelEncoding {
    var model = EncodedModel()
    let referencedNames: ReferencedNames

    init(_ referencedNames: ReferencedNames) { self.referencedNames = referencedNames }
}

/// Encodes one value; the containers of an encoder add its members.
private struct ModelEncoder: Encoder, SingleValueEncodingContainer {
    let encoding: ModelEncoding
    let index: Int

    /// Unused: encoding never fails because of a path.
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(KeyedModelContainer<Key>(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        encoding.model.set(.list, at: index)
        return UnkeyedModelContainer(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    func encodeNil() throws { try write(false) }

    func encode<Value: Encodable>(_ value: Value) throws {
        if let number = value as? any BinaryInteger {
            try write("\(number)")
        } else if let number = value as? Double {
            // Integral values are written without a fraction, as in JSON.
            let integer = Int64(exactly: number).flatMap { $0.magnitude < 1 << 53 ? $0 : nil }
            try write(integer.map { "\($0)" } ?? "\(number)")
        } else if let number = value as? Float {
            try write("\(number)")
        } else {
            assert(!(value is Date), "a model contains times as formatted text")
            try write(value)
        }
    }

    /// The encoder of a new member.
    func member(_ name: String) -> ModelEncoder {
        ModelEncoder(encoding: encoding, index: encoding.model.add(name, to: index))
    }

    func write<Value: Encodable>(_ value: Value) throws {
        if let content = Self.frequentScalar(value) {
            encoding.model.set(content, at: index)
        } else if Value.self == TemplateModel.self, let model = value as? TemplateModel {
            // Without a container, as fast as the members of a type. A nil member is written too:
            // it hides a member of the same name in an outer object.
            for (name, value) in model.members where encoding.referencedNames.contains(name) {
                if let value {
                    try member(name).write(value)
                } else {
                    try member(name).write(false)
                }
            }
        } else {
            try value.encode(to: self)
        }
    }

    /// Comparing types costs less than a cast, and nothing where the type is known.
    private static func frequentScalar<Value>(_ value: Value) -> EncodedModel.Content? {
        if Value.self == String.self, let text = value as? String { return .text(text) }
        if Value.self == Bool.self, let flag = value as? Bool { return .flag(flag) }
        if Value.self == Int.self, let number = value as? Int { return .text("\(number)") }
        return nil
    }
}

// One generic method implements the requirements of `encode` for every type.

/// An absent value is written as false; otherwise the template would find the same name in an outer
/// object.
private struct KeyedModelContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: ModelEncoder

    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) throws { try encode(false, forKey: key) }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        let name = key.stringValue
        guard encoder.encoding.referencedNames.contains(name) else { return }
        try encoder.member(name).write(value)
    }

    // The protocol has defaults for the types of the standard library, which take precedence over a
    // generic method; models have these.
    func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try set(value, key) }
    func encodeIfPresent(_ value: String?, forKey key: Key) throws { try set(value, key) }
    func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try set(value, key) }
    func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try set(value, key) }
    func encodeIfPresent(_ value: (some Encodable)?, forKey key: Key) throws { try set(value, key) }

    private func set(_ value: (some Encodable)?, _ key: Key) throws {
        if let value { try encode(value, forKey: key) } else { try encodeNil(forKey: key) }
    }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key)
        -> KeyedEncodingContainer<Nested>
    { encoder.member(key.stringValue).container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        encoder.member(key.stringValue).unkeyedContainer()
    }

    /// A superclass's members are in the object `super`.
    func superEncoder() -> any Encoder { encoder.member("super") }
    func superEncoder(forKey key: Key) -> any Encoder { encoder.member(key.stringValue) }
}

private struct UnkeyedModelContainer: UnkeyedEncodingContainer {
    let encoder: ModelEncoder
    private(set) var count = 0

    init(encoder: ModelEncoder) { self.encoder = encoder }

    var codingPath: [any CodingKey] { [] }

    mutating func encodeNil() throws { try encode(false) }

    mutating func encode<Value: Encodable>(_ value: Value) throws {
        try nextEncoder().write(value)
    }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type)
        -> KeyedEncodingContainer<Nested>
    { nextEncoder().container(keyedBy: type) }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        nextEncoder().unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder { nextEncoder() }

    private mutating func nextEncoder() -> ModelEncoder {
        count += 1
        return encoder.member("")
    }
}

/// A template's model as a literal: members by name, of any encodable types.
///
/// For a model that one function builds for one template. A model that several functions build, or
/// that an app's own templates see, is a type with documented properties.
package struct TemplateModel: Encodable, Sendable, ExpressibleByDictionaryLiteral {
    package typealias Key = String
    package typealias Value = (any Encodable & Sendable)?

    private(set) var members: [(name: String, value: Value)]
    private var deferredMembers: [(name: String, make: @Sendable () async throws -> Value)] = []

    package init(dictionaryLiteral elements: (String, Value)...) { members = elements }

    /// The members of both.
    package func merging(_ other: TemplateModel) -> TemplateModel {
        var merged = self
        merged.members += other.members
        merged.deferredMembers += other.deferredMembers
        return merged
    }

    /// With a member that is made only for the templates that refer to it.
    package func deferring(_ name: String, _ make: @escaping @Sendable () async throws -> Value)
        -> TemplateModel
    {
        var model = self
        model.deferredMembers.append((name, make))
        return model
    }

    /// With the deferred members that `names` contains.
    func resolved(for names: ReferencedNames) async throws -> TemplateModel {
        var model = self
        model.deferredMembers = []
        for (name, make) in deferredMembers where names.contains(name) {
            model.members.append((name, try await make()))
        }
        return model
    }

    /// `ModelEncoder` writes the members itself; no other encoder can.
    package func encode(to encoder: any Encoder) throws {
        throw EncodingError.invalidValue(
            self,
            .init(
                codingPath: encoder.codingPath,
                debugDescription: "A literal model can only be rendered."))
    }
}
