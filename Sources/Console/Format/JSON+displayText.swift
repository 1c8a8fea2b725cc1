import Web

extension JSON {
    /// A string or number as it is, any other value as JSON.
    var displayText: String { scalarText ?? description }
}
