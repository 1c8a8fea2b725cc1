import Storyboards

/// The storyboard of an app: every screen in every state, and what is known about them.
extension Links {
    /// Redirects to the first app's storyboard.
    static let storyboards = "/storyboard"
    static let storyboard = PagePath("/storyboard/{app}")
    /// POST: discards the recordings, so that every tile is played again on demand.
    static let rerenderStoryboard = PagePath("/storyboard/{app}/render")
    static let transitionMap = PagePath("/storyboard/{app}/map")
    /// The storyboard as one file.
    static let exportStoryboard = PagePath("/storyboard/{app}/export")
    static let accessibility = PagePath("/storyboard/{app}/accessibility")
    static let copy = PagePath("/storyboard/{app}/copy")
    static let copyCSV = PagePath("/storyboard/{app}/copy.csv")
    static let designTokens = PagePath("/storyboard/{app}/tokens")
    /// POST: redirects with the edits in the URL.
    static let previewDesignTokens = PagePath("/storyboard/{app}/tokens/preview")
    static let designTokensCSS = PagePath("/storyboard/{app}/tokens.css")
    static let designTokensJSON = PagePath("/storyboard/{app}/tokens.json")

    /// One state on its own.
    static let statePage = PagePath("/storyboard/{app}/{screen}/{state}")
    /// POST: discards the recording, so that the state is played again on demand.
    static let replayState = PagePath("/storyboard/{app}/{screen}/{state}/render")
    /// The screen in that state, as a document for a frame.
    static let tile = PagePath("/storyboard/{app}/{screen}/{state}/frame")

    static func statePage(_ state: StateID, _ options: [(String, String?)] = []) -> String {
        url(statePage(state.app, state.screen, state.state), options)
    }

    static func tile(_ state: StateID, _ options: [(String, String?)] = []) -> String {
        url(tile(state.app, state.screen, state.state), options)
    }
}
