/// Writes one value of a model straight into the library's data.
///
/// A class, because a value may ask for its container twice and must get the
/// same one.
final class ModelEncoder: Encoder {
    private let target: EncodingTarget
    private var openedContainer: OpaquePointer?

    /// Nothing here fails by where it is, so nobody reads paths.
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(_ place: EncodingTarget) { self.target = place }

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
        let made = target.open(list: list)
        openedContainer = made
        return made
    }
}
