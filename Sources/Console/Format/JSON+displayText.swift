import Web

extension JSON {
    /// A text or a number as it is, anything else as JSON.
    var displayText: String { scalarText ?? description }
}
