import Web

extension Exchange {
    /// The URL without scheme and authority; query included.
    package var path: String { Address(url).target }
}
