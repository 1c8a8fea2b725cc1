/// What is said of a state: it was reached, it cannot be, or its template
/// cannot be drawn.
enum RenderStatus: Sendable, Equatable {
    /// It was not played yet.
    case notPlayed
    case reached
    /// Why not, in a sentence.
    case unreachable(String)
    /// What is wrong with its template: `file:line:column: detail`.
    case broken(String)

    /// How a state was found when it was played.
    init(_ scene: StateRecording) {
        self =
            switch scene.outcome {
            case .reached: .reached
            case .unreachable(let reason): .unreachable(reason)
            }
    }

    /// Nil where there is a screen to be seen, or may be one.
    var failure: Failure? {
        switch self {
        case .notPlayed, .reached: nil
        case .unreachable(let reason):
            Failure(kind: .unreachable, label: "Not reachable", reason: reason)
        case .broken(let mistake): Failure(kind: .broken, label: "Broken", reason: mistake)
        }
    }

    var failureReason: String? { failure?.reason }

    var isBroken: Bool { failure?.kind == .broken }

    /// What stands where a screen would.
    struct Failure: Encodable, Sendable, Equatable {
        var kind: Kind
        /// `Broken`.
        var label: String
        var reason: String

        enum Kind: String, Encodable, Sendable { case unreachable, broken }
    }
}

extension ChipModel {
    init(_ showing: RenderStatus) {
        self =
            switch showing {
            case .notPlayed: ChipModel(text: "not run yet", tone: .neutral)
            case .reached: ChipModel(text: "reached", tone: .ok, chipIcon: "check")
            case .unreachable: ChipModel(text: "not reachable", tone: .warn, chipIcon: "warn")
            case .broken: ChipModel(text: "broken", tone: .bad, chipIcon: "cross")
            }
    }
}
