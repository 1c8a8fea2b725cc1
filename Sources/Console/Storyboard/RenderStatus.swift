import Storyboards

/// A played state with its current render status.
struct PlaybackResult: Sendable {
    var recording: StateRecording
    var renderStatus: RenderStatus
}

/// Whether a state was reached, cannot be reached, or has a template that fails to render.
enum RenderStatus: Sendable, Equatable {
    case notPlayed
    case reached
    /// The reason, as a sentence.
    case unreachable(String)
    /// The template error: `file:line:column: detail`.
    case broken(String)

    /// The status at playback time.
    init(_ recording: StateRecording) {
        self =
            switch recording.outcome {
            case .reached: .reached
            case .unreachable(let reason): .unreachable(reason)
            }
    }

    /// Nil if a screen can be shown, or may be once the state is played.
    var failure: Failure? {
        switch self {
        case .notPlayed, .reached: nil
        case .unreachable(let reason):
            Failure(kind: .unreachable, label: "Unreachable", reason: reason)
        case .broken(let detail): Failure(kind: .broken, label: "Broken", reason: detail)
        }
    }

    var failureReason: String? { failure?.reason }

    var isBroken: Bool { failure?.kind == .broken }

    /// Shown in place of a screen.
    struct Failure: Encodable, Sendable, Equatable {
        var kind: Kind
        /// `Broken`.
        var label: String
        var reason: String

        enum Kind: String, Encodable, Sendable { case unreachable, broken }
    }
}

extension ChipModel {
    init(_ status: RenderStatus) {
        self =
            switch status {
            case .notPlayed: ChipModel(text: "Not rendered", tone: .neutral)
            case .reached: ChipModel(text: "Reached", tone: .ok, chipIcon: "check")
            case .unreachable: ChipModel(text: "Unreachable", tone: .warn, chipIcon: "warn")
            case .broken: ChipModel(text: "Broken", tone: .bad, chipIcon: "cross")
            }
    }
}
