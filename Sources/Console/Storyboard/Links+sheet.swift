/// The addresses of the storyboard's sheets.
extension Links {
    static let storyboards = "/storyboard"

    static func storyboard(_ app: String) -> String { "/storyboard/\(app)" }

    /// POST: every tile is played again when it is next asked for.
    static func runStoryboard(_ app: String) -> String {
        "/storyboard/\(app)/run"
    }

    /// A state's own page.
    static func storyboard(
        _ app: String, _ screen: String, _ state: String
    ) -> String {
        "/storyboard/\(app)/\(screen)/\(state)"
    }

    /// A state's screen alone, as a tile shows it.
    static func tile(
        _ app: String, _ screen: String, _ state: String, size: String,
        appearance: String?
    ) -> String {
        query(
            storyboard(app, screen, state) + "/frame",
            [("size", size), ("appearance", appearance)])
    }
}
