import Apps

extension App {
    /// The key of `text` in a memory that has one value per value of `field`.
    func memoryKey(_ text: String, of field: String) -> String {
        screens.lazy.flatMap(\.fields).first { $0.name == field }?.identityKey(text) ?? text
    }
}
