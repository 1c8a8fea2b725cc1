import Apps

/// A branch of a step: what went otherwise, and how it came to that.
struct WalkBranchModel: Encodable, Sendable {
    var branchTitle: String
    var sentence: String
    /// Why it could not be reached; nil where it was.
    var why: String?
    var anySteps: Bool
    var steps: [Step]
    /// The state by itself.
    var stateURL: String

    struct Step: Encodable, Sendable {
        var number: Int
        var what: String
        var detail: String
    }

    init(_ branch: WalkBranch, _ scene: Scene) {
        branchTitle = branch.title
        sentence = branch.sentence
        if case .unreachable(let reason) = scene.ending { why = reason }
        steps = scene.steps.enumerated().map {
            Step(number: $0.offset + 1, what: $0.element.what, detail: $0.element.detail)
        }
        anySteps = !steps.isEmpty
        stateURL = Links.scene(branch.app.id, branch.key)
    }
}
