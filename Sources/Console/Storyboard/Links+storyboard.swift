extension Links {
    /// Leads to the first app's.
    static let storyboards = "/storyboard"

    /// Every screen of an app in every state.
    static func storyboard(_ app: String) -> String { "/storyboard/\(app)" }

    /// POST: every tile is played again when it is next asked for.
    static func rerenderStoryboard(_ app: String) -> String { storyboard(app) + "/run" }

    /// What was really seen of it.
    static func transitionMap(_ app: String) -> String { storyboard(app) + "/flow" }

    /// All of it in one file.
    static func exportStoryboard(_ app: String) -> String { storyboard(app) + "/export" }

    /// What every state is to somebody who does not see it.
    static func accessibility(_ app: String) -> String { storyboard(app) + "/accessibility" }

    /// One state, by itself.
    static func storyboardState(_ app: String, _ key: StateRecording.Key) -> String {
        "/storyboard/\(app)/\(key.screen)/\(key.state)"
    }

    /// POST: it is played again when it is next asked for.
    static func replayState(_ app: String, _ key: StateRecording.Key) -> String {
        storyboardState(app, key) + "/again"
    }

    /// The screen in that state, as a document for a frame.
    static func tile(
        _ app: String, _ key: StateRecording.Key, size: String? = nil, appearance: String? = nil,
        text: String? = nil
    ) -> String {
        url(
            storyboardState(app, key) + "/frame",
            [("size", size), ("appearance", appearance), ("text", text)])
    }
}
