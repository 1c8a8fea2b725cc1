extension Links {
    static let walkthroughs = "/walkthrough"

    /// An app's walkthrough, where it stands.
    static func walkthrough(_ app: String) -> String { "\(walkthroughs)/\(app)" }

    static func walkthroughStep(_ app: String, _ step: String) -> String {
        "\(walkthrough(app))/\(step)"
    }

    /// What a button of a step does: `bring`, `next`, `mail`.
    static func walkthroughAction(_ app: String, _ step: String, _ act: String) -> String {
        "\(walkthroughStep(app, step))/\(act)"
    }

    static func restartWalkthrough(_ app: String) -> String { "\(walkthrough(app))/over" }
}
