/// The addresses of what an app looks like and what it says.
extension Links {
    /// Every screen of an app in every state.
    static func sheet(_ app: String) -> String { "/storyboard/\(app)" }

    /// One screen of an app in one state.
    static func state(
        _ app: String, _ screen: String, _ state: String
    ) -> String { "/storyboard/\(app)/\(screen)/\(state)" }

    static func look(_ app: String) -> String { "/storyboard/\(app)/look" }

    /// POST: comes back with what was changed in the address.
    static func previewLook(_ app: String) -> String {
        "/storyboard/\(app)/look/preview"
    }

    /// The design tokens to take along: `css` or `json`.
    static func look(_ app: String, as kind: String) -> String {
        "/storyboard/\(app)/look.\(kind)"
    }

    static func copy(_ app: String) -> String { "/storyboard/\(app)/copy" }

    /// Every text of an app to take along.
    static func copy(_ app: String, as kind: String) -> String {
        "/storyboard/\(app)/copy.\(kind)"
    }
}
