extension Links {
    static let walkthroughs = "/walkthrough"

    /// Redirects to the current step of an app's walkthrough.
    static func walkthrough(_ app: String) -> String { "\(walkthroughs)/\(app)" }

    static func walkthroughStep(_ app: String, _ step: String) -> String {
        "\(walkthrough(app))/\(step)"
    }

    /// POST: an action of a step: `bring`, `next`, `mail`.
    static func walkthroughAction(_ app: String, _ step: String, _ act: String) -> String {
        "\(walkthroughStep(app, step))/\(act)"
    }

    static func restartWalkthrough(_ app: String) -> String { "\(walkthrough(app))/over" }
}
