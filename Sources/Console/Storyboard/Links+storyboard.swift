import Storyboards

extension Links {
    /// Redirects to the first app's storyboard.
    static let storyboards = "/storyboard"

    /// Every screen of an app in every state.
    static func storyboard(_ app: String) -> String { "/storyboard/\(app)" }

    /// POST: discards the recordings, so that every tile is played again on demand.
    static func rerenderStoryboard(_ app: String) -> String { storyboard(app) + "/render" }

    /// The recorded transitions between the app's screens.
    static func transitionMap(_ app: String) -> String { storyboard(app) + "/map" }

    /// The storyboard as one file.
    static func exportStoryboard(_ app: String) -> String { storyboard(app) + "/export" }

    /// The accessibility report of every state.
    static func accessibility(_ app: String) -> String { storyboard(app) + "/accessibility" }

    /// One state on its own.
    static func storyboardState(_ state: StateID) -> String {
        storyboard(state.app) + "/\(state.screen)/\(state.state)"
    }

    /// POST: discards the recording, so that the state is played again on demand.
    static func replayState(_ state: StateID) -> String { storyboardState(state) + "/render" }

    /// The screen in that state, as a document for a frame.
    static func tile(
        _ state: StateID, size: String? = nil, appearance: String? = nil, text: String? = nil
    ) -> String {
        url(
            storyboardState(state) + "/frame",
            [("size", size), ("appearance", appearance), ("text", text)])
    }
}
