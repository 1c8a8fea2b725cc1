/// The addresses of what an app looks like and what it says.
extension Links {
    static func designTokens(_ app: String) -> String { "/storyboard/\(app)/look" }

    /// POST: comes back with what was changed in the address.
    static func previewDesignTokens(_ app: String) -> String { "/storyboard/\(app)/look/preview" }

    /// The design tokens to take along: `css` or `json`.
    static func designTokens(_ app: String, as kind: String) -> String {
        "/storyboard/\(app)/look.\(kind)"
    }

    static func copy(_ app: String) -> String { "/storyboard/\(app)/copy" }

    /// Every text of an app to take along.
    static func copy(_ app: String, as kind: String) -> String { "/storyboard/\(app)/copy.\(kind)" }
}
