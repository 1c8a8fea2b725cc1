import Apps

/// An edge case of a step, with the steps that reproduce it.
struct WalkthroughBranchModel: Encodable, Sendable {
    var branchTitle: String
    var description: String
    /// Why it could not be reached; nil if it was.
    var unreachableReason: String?
    var anySteps: Bool
    var steps: [Step]
    /// The storyboard page of the state.
    var stateURL: String

    struct Step: Encodable, Sendable {
        var number: Int
        var instruction: String
        var detail: String
    }

    init(_ branch: WalkthroughBranch, _ recording: StateRecording) {
        branchTitle = branch.title
        description = branch.description
        if case .unreachable(let reason) = recording.outcome { unreachableReason = reason }
        steps = recording.steps.enumerated().map {
            Step(
                number: $0.offset + 1, instruction: $0.element.instruction,
                detail: $0.element.detail)
        }
        anySteps = !steps.isEmpty
        stateURL = Links.storyboardState(branch.app.id, branch.key)
    }
}
