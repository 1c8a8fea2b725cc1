extension Snapshot {
    /// Why `name` is invalid; nil if it is valid.
    package static func validationError(forName name: String) -> String? {
        let isBlank = name.unicodeScalars.allSatisfy { $0.properties.isWhitespace }
        if isBlank { return "is empty" }
        if name.count > maxNameLength { return "is longer than \(maxNameLength) characters" }
        let hasControl = name.unicodeScalars.contains { $0.properties.generalCategory == .control }
        return hasControl ? "holds a control character" : nil
    }
}
