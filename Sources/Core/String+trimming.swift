extension String {
    /// The string without these ASCII characters at both ends.
    package func trimming(_ characters: String) -> String {
        var trimmed = self[...]
        while let first = trimmed.first, characters.contains(first) {
            trimmed = trimmed.dropFirst()
        }
        while let last = trimmed.last, characters.contains(last) { trimmed = trimmed.dropLast() }
        return String(trimmed)
    }
}
