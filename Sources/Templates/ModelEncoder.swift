/// Writes one value of a model straight into the library's data.
///
/// A class, because a value may ask for its container twice and must get the
/// same one.
final class ModelEncoder: Encoder {
    private let place: Place
    private var opened: OpaquePointer?

    /// Nothing here fails by where it is, so nobody reads paths.
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(_ place: Place) { self.place = place }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(
            ModelKeyedContainer<Key>(container: open(list: false), mentioned: place.mentioned))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        ModelUnkeyedContainer(container: open(list: true), mentioned: place.mentioned)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        ModelSingleValueContainer(place: place)
    }

    private func open(list: Bool) -> OpaquePointer {
        if let opened { return opened }
        let made = place.open(list: list)
        opened = made
        return made
    }
}
