/// A list of a model.
struct ModelUnkeyedContainer: UnkeyedEncodingContainer {
    let container: OpaquePointer
    let mentioned: Mentioned
    private(set) var count = 0

    init(container: OpaquePointer, mentioned: Mentioned) {
        self.container = container
        self.mentioned = mentioned
    }

    var codingPath: [any CodingKey] { [] }

    /// The end of the list, and one more counted.
    private mutating func end() -> Place {
        count += 1
        return Place(container: container, key: "", mentioned: mentioned)
    }

    mutating func encodeNil() { end().set(false) }
    mutating func encode(_ value: Bool) { end().set(value) }
    mutating func encode(_ value: String) { end().set(value) }
    mutating func encode(_ value: Double) { end().set(value) }
    mutating func encode(_ value: Float) { end().set(String(value)) }
    mutating func encode(_ value: Int) { end().set(String(value)) }
    mutating func encode(_ value: Int8) { end().set(String(value)) }
    mutating func encode(_ value: Int16) { end().set(String(value)) }
    mutating func encode(_ value: Int32) { end().set(String(value)) }
    mutating func encode(_ value: Int64) { end().set(String(value)) }
    mutating func encode(_ value: UInt) { end().set(String(value)) }
    mutating func encode(_ value: UInt8) { end().set(String(value)) }
    mutating func encode(_ value: UInt16) { end().set(String(value)) }
    mutating func encode(_ value: UInt32) { end().set(String(value)) }
    mutating func encode(_ value: UInt64) { end().set(String(value)) }
    mutating func encode(_ value: some Encodable) throws { try end().set(value) }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type)
        -> KeyedEncodingContainer<Nested>
    {
        KeyedEncodingContainer(
            ModelKeyedContainer<Nested>(container: end().open(list: false), mentioned: mentioned))
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        ModelUnkeyedContainer(container: end().open(list: true), mentioned: mentioned)
    }

    mutating func superEncoder() -> any Encoder { ModelEncoder(end()) }
}
