/// An object of a model.
///
/// An absent value is written as false; otherwise the template would find the same name in an outer
/// object.
struct ModelKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let container: OpaquePointer
    let referencedNames: ReferencedNames

    var codingPath: [any CodingKey] { [] }

    /// The target of a member; nil if no template uses it.
    private func referencedTarget(for key: some CodingKey) -> EncodingTarget? {
        let name = key.stringValue
        guard referencedNames.contains(name) else { return nil }
        return EncodingTarget(container: container, key: name, referencedNames: referencedNames)
    }

    func encodeNil(forKey key: Key) { referencedTarget(for: key)?.set(false) }
    func encode(_ value: Bool, forKey key: Key) { referencedTarget(for: key)?.set(value) }
    func encode(_ value: String, forKey key: Key) { referencedTarget(for: key)?.set(value) }
    func encode(_ value: Double, forKey key: Key) { referencedTarget(for: key)?.set(value) }
    func encode(_ value: Float, forKey key: Key) { referencedTarget(for: key)?.set(String(value)) }
    func encode(_ value: Int, forKey key: Key) { referencedTarget(for: key)?.set(String(value)) }
    func encode(_ value: Int8, forKey key: Key) { referencedTarget(for: key)?.set(String(value)) }
    func encode(_ value: Int16, forKey key: Key) { referencedTarget(for: key)?.set(String(value)) }
    func encode(_ value: Int32, forKey key: Key) { referencedTarget(for: key)?.set(String(value)) }
    func encode(_ value: Int64, forKey key: Key) { referencedTarget(for: key)?.set(String(value)) }
    func encode(_ value: UInt, forKey key: Key) { referencedTarget(for: key)?.set(String(value)) }
    func encode(_ value: UInt8, forKey key: Key) { referencedTarget(for: key)?.set(String(value)) }
    func encode(_ value: UInt16, forKey key: Key) { referencedTarget(for: key)?.set(String(value)) }
    func encode(_ value: UInt32, forKey key: Key) { referencedTarget(for: key)?.set(String(value)) }
    func encode(_ value: UInt64, forKey key: Key) { referencedTarget(for: key)?.set(String(value)) }
    func encode(_ value: some Encodable, forKey key: Key) throws {
        try referencedTarget(for: key)?.set(value)
    }

    func encodeIfPresent(_ value: Bool?, forKey key: Key) {
        referencedTarget(for: key)?.set(value ?? false)
    }
    func encodeIfPresent(_ value: String?, forKey key: Key) { set(value, key) }
    func encodeIfPresent(_ value: Double?, forKey key: Key) {
        if let value { referencedTarget(for: key)?.set(value) } else { encodeNil(forKey: key) }
    }
    func encodeIfPresent(_ value: Float?, forKey key: Key) { set(value.map { String($0) }, key) }
    func encodeIfPresent(_ value: Int?, forKey key: Key) { set(value.map { String($0) }, key) }
    func encodeIfPresent(_ value: Int8?, forKey key: Key) { set(value.map { String($0) }, key) }
    func encodeIfPresent(_ value: Int16?, forKey key: Key) { set(value.map { String($0) }, key) }
    func encodeIfPresent(_ value: Int32?, forKey key: Key) { set(value.map { String($0) }, key) }
    func encodeIfPresent(_ value: Int64?, forKey key: Key) { set(value.map { String($0) }, key) }
    func encodeIfPresent(_ value: UInt?, forKey key: Key) { set(value.map { String($0) }, key) }
    func encodeIfPresent(_ value: UInt8?, forKey key: Key) { set(value.map { String($0) }, key) }
    func encodeIfPresent(_ value: UInt16?, forKey key: Key) { set(value.map { String($0) }, key) }
    func encodeIfPresent(_ value: UInt32?, forKey key: Key) { set(value.map { String($0) }, key) }
    func encodeIfPresent(_ value: UInt64?, forKey key: Key) { set(value.map { String($0) }, key) }
    func encodeIfPresent(_ value: (some Encodable)?, forKey key: Key) throws {
        if let value { try referencedTarget(for: key)?.set(value) } else { encodeNil(forKey: key) }
    }

    private func set(_ text: String?, _ key: Key) {
        if let text {
            referencedTarget(for: key)?.set(text)
        } else {
            referencedTarget(for: key)?.set(false)
        }
    }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key)
        -> KeyedEncodingContainer<Nested>
    {
        KeyedEncodingContainer(
            ModelKeyedContainer<Nested>(
                container: target(for: key).open(list: false), referencedNames: referencedNames))
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        ModelUnkeyedContainer(
            container: target(for: key).open(list: true), referencedNames: referencedNames)
    }

    /// A superclass's members are in the object `super`.
    func superEncoder() -> any Encoder {
        ModelEncoder(
            EncodingTarget(container: container, key: "super", referencedNames: referencedNames))
    }

    func superEncoder(forKey key: Key) -> any Encoder { ModelEncoder(target(for: key)) }

    /// The target of a member, even if no template uses it: the caller fills the container it
    /// opens.
    private func target(for key: Key) -> EncodingTarget {
        EncodingTarget(container: container, key: key.stringValue, referencedNames: referencedNames)
    }
}
