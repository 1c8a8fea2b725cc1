/// The URLs of an app's design tokens and texts.
extension Links {
    static func designTokens(_ app: String) -> String { "/storyboard/\(app)/look" }

    /// POST: redirects with the edits in the URL.
    static func previewDesignTokens(_ app: String) -> String { "/storyboard/\(app)/look/preview" }

    /// Exports the design tokens; `kind` is `css` or `json`.
    static func designTokens(_ app: String, as kind: String) -> String {
        "/storyboard/\(app)/look.\(kind)"
    }

    static func copy(_ app: String) -> String { "/storyboard/\(app)/copy" }

    /// Exports every text of an app.
    static func copy(_ app: String, as kind: String) -> String { "/storyboard/\(app)/copy.\(kind)" }
}
