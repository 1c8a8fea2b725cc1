import Web

extension Exchange {
    /// The URL without scheme and authority; query included.
    package var pathAndQuery: String { URLParts(url).requestTarget }
}
