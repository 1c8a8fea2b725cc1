import FoundationEssentials

/// A value of a model, as a template sees it.
enum ModelValue {
    case flag(Bool)
    case text(String)
    /// An object or a list.
    case node(ModelNode)

    /// Whether a section of it renders.
    var isTrue: Bool {
        switch self {
        case .flag(let flag): flag
        case .text: true
        case .node(let node): !node.isList || !node.members.isEmpty
        }
    }

    /// The member `name` of an object.
    subscript(name: String) -> ModelValue? {
        guard case .node(let node) = self else { return nil }
        // An iterator would retain each member.
        for index in node.members.indices.reversed() where node.members[index].name == name {
            return node.members[index].value
        }
        return nil
    }

    /// The value of `model`, without the members that `referencedNames` does not contain.
    init(encoding model: some Encodable, _ referencedNames: ReferencedNames) throws {
        let root = ModelNode(referencedNames)
        try root.add(model, as: "")
        self = root.members.last?.value ?? .flag(false)
    }
}

/// An object or a list of a model; the encoder of its own members.
final class ModelNode: Encoder {
    /// The members of an object, in order; the last one of a name counts. A list's have no names.
    fileprivate(set) var members: [(name: String, value: ModelValue)] = []
    fileprivate(set) var isList = false
    /// Set if the encoded value is neither an object nor a list.
    fileprivate var scalar: ModelValue?
    let referencedNames: ReferencedNames

    /// Unused: encoding never fails because of a path.
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(_ referencedNames: ReferencedNames) { self.referencedNames = referencedNames }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(KeyedModelContainer<Key>(node: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        isList = true
        return UnkeyedModelContainer(node: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        SingleValueModelContainer(node: self)
    }

    fileprivate func add<Value: Encodable>(_ value: Value, as name: String) throws {
        if let scalar = Self.frequentScalar(value) {
            members.append((name, scalar))
        } else {
            let node = ModelNode(referencedNames)
            try value.encode(to: node)
            members.append((name, node.scalar ?? .node(node)))
        }
    }

    /// Adds an object or a list, which the caller fills later.
    fileprivate func addNode(as name: String) -> ModelNode {
        let node = ModelNode(referencedNames)
        members.append((name, .node(node)))
        return node
    }

    fileprivate func setScalar<Value: Encodable>(_ value: Value) throws {
        if let scalar = Self.frequentScalar(value) {
            self.scalar = scalar
        } else if let number = value as? any BinaryInteger {
            scalar = .text("\(number)")
        } else if let number = value as? Double {
            // Integral values are written without a fraction, as in JSON.
            let integer = Int64(exactly: number).flatMap { $0.magnitude < 1 << 53 ? $0 : nil }
            scalar = .text(integer.map { "\($0)" } ?? "\(number)")
        } else if let number = value as? Float {
            scalar = .text("\(number)")
        } else {
            assert(!(value is Date), "a model contains times as formatted text")
            try value.encode(to: self)
        }
    }

    /// Comparing types costs less than a cast, and nothing where the type is known.
    private static func frequentScalar<Value>(_ value: Value) -> ModelValue? {
        if Value.self == String.self, let text = value as? String { return .text(text) }
        if Value.self == Bool.self, let flag = value as? Bool { return .flag(flag) }
        if Value.self == Int.self, let number = value as? Int { return .text("\(number)") }
        return nil
    }
}

// MARK: Containers

// One generic method implements the requirements of `encode` for every type.

/// An absent value is written as false; otherwise the template would find the same name in an outer
/// object.
private struct KeyedModelContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let node: ModelNode

    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) throws { try encode(false, forKey: key) }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        let name = key.stringValue
        if node.referencedNames.contains(name) { try node.add(value, as: name) }
    }

    // The protocol has defaults for these types, which take precedence over a generic method.
    func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try set(value, key) }
    func encodeIfPresent(_ value: String?, forKey key: Key) throws { try set(value, key) }
    func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try set(value, key) }
    func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try set(value, key) }
    func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try set(value, key) }
    func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try set(value, key) }
    func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try set(value, key) }
    func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try set(value, key) }
    func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try set(value, key) }
    func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try set(value, key) }
    func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try set(value, key) }
    func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try set(value, key) }
    func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try set(value, key) }
    func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try set(value, key) }
    func encodeIfPresent(_ value: (some Encodable)?, forKey key: Key) throws { try set(value, key) }

    private func set(_ value: (some Encodable)?, _ key: Key) throws {
        if let value { try encode(value, forKey: key) } else { try encodeNil(forKey: key) }
    }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key)
        -> KeyedEncodingContainer<Nested>
    { node.addNode(as: key.stringValue).container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        node.addNode(as: key.stringValue).unkeyedContainer()
    }

    /// A superclass's members are in the object `super`.
    func superEncoder() -> any Encoder { node.addNode(as: "super") }
    func superEncoder(forKey key: Key) -> any Encoder { node.addNode(as: key.stringValue) }
}

private struct UnkeyedModelContainer: UnkeyedEncodingContainer {
    let node: ModelNode

    var codingPath: [any CodingKey] { [] }
    var count: Int { node.members.count }

    func encodeNil() throws { try encode(false) }
    func encode<Value: Encodable>(_ value: Value) throws { try node.add(value, as: "") }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type)
        -> KeyedEncodingContainer<Nested>
    { node.addNode(as: "").container(keyedBy: type) }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        node.addNode(as: "").unkeyedContainer()
    }

    func superEncoder() -> any Encoder { node.addNode(as: "") }
}

private struct SingleValueModelContainer: SingleValueEncodingContainer {
    let node: ModelNode

    var codingPath: [any CodingKey] { [] }

    func encodeNil() throws { try encode(false) }
    func encode<Value: Encodable>(_ value: Value) throws { try node.setScalar(value) }
}
