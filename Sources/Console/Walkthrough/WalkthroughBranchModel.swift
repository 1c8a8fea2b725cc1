import Apps

/// A branch of a step: what went otherwise, and how it came to that.
struct WalkthroughBranchModel: Encodable, Sendable {
    var branchTitle: String
    var description: String
    /// Why it could not be reached; nil where it was.
    var unreachableReason: String?
    var anySteps: Bool
    var steps: [Step]
    /// The state by itself.
    var stateURL: String

    struct Step: Encodable, Sendable {
        var number: Int
        var instruction: String
        var detail: String
    }

    init(_ branch: WalkthroughBranch, _ scene: StateRecording) {
        branchTitle = branch.title
        description = branch.description
        if case .unreachable(let reason) = scene.outcome { unreachableReason = reason }
        steps = scene.steps.enumerated().map {
            Step(
                number: $0.offset + 1, instruction: $0.element.instruction,
                detail: $0.element.detail)
        }
        anySteps = !steps.isEmpty
        stateURL = Links.storyboardState(branch.app.id, branch.key)
    }
}
