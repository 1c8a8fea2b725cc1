/// Encodes one value of a model directly into the library's data.
///
/// A class, because a value may request its container twice and must get the same one.
final class ModelEncoder: Encoder {
    private let target: EncodingTarget
    private var openedContainer: OpaquePointer?

    /// Unused: encoding never fails because of a path.
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(_ target: EncodingTarget) { self.target = target }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(
            ModelKeyedContainer<Key>(
                container: open(list: false), referencedNames: target.referencedNames))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        ModelUnkeyedContainer(container: open(list: true), referencedNames: target.referencedNames)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        ModelSingleValueContainer(target: target)
    }

    private func open(list: Bool) -> OpaquePointer {
        if let opened = openedContainer { return opened }
        let created = target.open(list: list)
        openedContainer = created
        return created
    }
}

/// A value of a model that is neither an object nor a list.
struct ModelSingleValueContainer: SingleValueEncodingContainer {
    let target: EncodingTarget

    var codingPath: [any CodingKey] { [] }

    func encodeNil() { target.set(false) }
    func encode(_ value: Bool) { target.set(value) }
    func encode(_ value: String) { target.set(value) }
    func encode(_ value: Double) { target.set(value) }
    func encode(_ value: Float) { target.set(String(value)) }
    func encode(_ value: Int) { target.set(String(value)) }
    func encode(_ value: Int8) { target.set(String(value)) }
    func encode(_ value: Int16) { target.set(String(value)) }
    func encode(_ value: Int32) { target.set(String(value)) }
    func encode(_ value: Int64) { target.set(String(value)) }
    func encode(_ value: UInt) { target.set(String(value)) }
    func encode(_ value: UInt8) { target.set(String(value)) }
    func encode(_ value: UInt16) { target.set(String(value)) }
    func encode(_ value: UInt32) { target.set(String(value)) }
    func encode(_ value: UInt64) { target.set(String(value)) }
    func encode(_ value: some Encodable) throws { try target.set(value) }
}
