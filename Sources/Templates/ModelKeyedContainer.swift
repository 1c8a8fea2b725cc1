/// An object of a model.
///
/// An absent value is written as false: otherwise the template would see the
/// same name of an outer object.
struct ModelKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let container: OpaquePointer
    let mentioned: Mentioned

    var codingPath: [any CodingKey] { [] }

    /// Where a member goes; nil if no template asks for it.
    private func at(_ key: some CodingKey) -> Place? {
        let name = key.stringValue
        guard mentioned.contains(name) else { return nil }
        return Place(container: container, key: name, mentioned: mentioned)
    }

    func encodeNil(forKey key: Key) { at(key)?.set(false) }
    func encode(_ value: Bool, forKey key: Key) { at(key)?.set(value) }
    func encode(_ value: String, forKey key: Key) { at(key)?.set(value) }
    func encode(_ value: Double, forKey key: Key) { at(key)?.set(value) }
    func encode(_ value: Float, forKey key: Key) { at(key)?.set(String(value)) }
    func encode(_ value: Int, forKey key: Key) { at(key)?.set(String(value)) }
    func encode(_ value: Int8, forKey key: Key) { at(key)?.set(String(value)) }
    func encode(_ value: Int16, forKey key: Key) { at(key)?.set(String(value)) }
    func encode(_ value: Int32, forKey key: Key) { at(key)?.set(String(value)) }
    func encode(_ value: Int64, forKey key: Key) { at(key)?.set(String(value)) }
    func encode(_ value: UInt, forKey key: Key) { at(key)?.set(String(value)) }
    func encode(_ value: UInt8, forKey key: Key) { at(key)?.set(String(value)) }
    func encode(_ value: UInt16, forKey key: Key) { at(key)?.set(String(value)) }
    func encode(_ value: UInt32, forKey key: Key) { at(key)?.set(String(value)) }
    func encode(_ value: UInt64, forKey key: Key) { at(key)?.set(String(value)) }
    func encode(_ value: some Encodable, forKey key: Key) throws { try at(key)?.set(value) }

    func encodeIfPresent(_ value: Bool?, forKey key: Key) { at(key)?.set(value ?? false) }
    func encodeIfPresent(_ value: String?, forKey key: Key) { set(value, key) }
    func encodeIfPresent(_ value: Double?, forKey key: Key) {
        if let value { at(key)?.set(value) } else { encodeNil(forKey: key) }
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
        if let value { try at(key)?.set(value) } else { encodeNil(forKey: key) }
    }

    private func set(_ text: String?, _ key: Key) {
        if let text { at(key)?.set(text) } else { at(key)?.set(false) }
    }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key)
        -> KeyedEncodingContainer<Nested>
    {
        KeyedEncodingContainer(
            ModelKeyedContainer<Nested>(
                container: place(key).open(list: false), mentioned: mentioned))
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        ModelUnkeyedContainer(container: place(key).open(list: true), mentioned: mentioned)
    }

    /// What a parent class holds lies under `super`.
    func superEncoder() -> any Encoder {
        ModelEncoder(Place(container: container, key: "super", mentioned: mentioned))
    }

    func superEncoder(forKey key: Key) -> any Encoder { ModelEncoder(place(key)) }

    /// Whether or not it is asked for: who opens it will write there.
    private func place(_ key: Key) -> Place {
        Place(container: container, key: key.stringValue, mentioned: mentioned)
    }
}
