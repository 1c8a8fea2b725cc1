import Apps

extension App {
    /// What a memory kept for each value of `field` finds `text` under.
    func memoryKey(_ text: String, of field: String) -> String {
        screens.lazy.flatMap(\.fields).first { $0.name == field }?.identityKey(text) ?? text
    }
}
