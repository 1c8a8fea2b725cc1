/// A list of a model.
struct ModelUnkeyedContainer: UnkeyedEncodingContainer {
    let container: OpaquePointer
    let referencedNames: ReferencedNames
    private(set) var count = 0

    init(container: OpaquePointer, referencedNames: ReferencedNames) {
        self.container = container
        self.referencedNames = referencedNames
    }

    var codingPath: [any CodingKey] { [] }

    /// The target for the next element; increments `count`.
    private mutating func nextTarget() -> EncodingTarget {
        count += 1
        return EncodingTarget(container: container, key: "", referencedNames: referencedNames)
    }

    mutating func encodeNil() { nextTarget().set(false) }
    mutating func encode(_ value: Bool) { nextTarget().set(value) }
    mutating func encode(_ value: String) { nextTarget().set(value) }
    mutating func encode(_ value: Double) { nextTarget().set(value) }
    mutating func encode(_ value: Float) { nextTarget().set(String(value)) }
    mutating func encode(_ value: Int) { nextTarget().set(String(value)) }
    mutating func encode(_ value: Int8) { nextTarget().set(String(value)) }
    mutating func encode(_ value: Int16) { nextTarget().set(String(value)) }
    mutating func encode(_ value: Int32) { nextTarget().set(String(value)) }
    mutating func encode(_ value: Int64) { nextTarget().set(String(value)) }
    mutating func encode(_ value: UInt) { nextTarget().set(String(value)) }
    mutating func encode(_ value: UInt8) { nextTarget().set(String(value)) }
    mutating func encode(_ value: UInt16) { nextTarget().set(String(value)) }
    mutating func encode(_ value: UInt32) { nextTarget().set(String(value)) }
    mutating func encode(_ value: UInt64) { nextTarget().set(String(value)) }
    mutating func encode(_ value: some Encodable) throws { try nextTarget().set(value) }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type)
        -> KeyedEncodingContainer<Nested>
    {
        KeyedEncodingContainer(
            ModelKeyedContainer<Nested>(
                container: nextTarget().open(list: false), referencedNames: referencedNames))
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        ModelUnkeyedContainer(
            container: nextTarget().open(list: true), referencedNames: referencedNames)
    }

    mutating func superEncoder() -> any Encoder { ModelEncoder(nextTarget()) }
}
