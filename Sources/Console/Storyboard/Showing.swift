/// What is said of a state: it was reached, it cannot be, or its template
/// cannot be drawn.
enum Showing: Sendable, Equatable {
    /// It was not played yet.
    case unknown
    case reached
    /// Why not, in a sentence.
    case unreachable(String)
    /// What is wrong with its template: `file:line:column: detail`.
    case broken(String)

    /// How a state was found when it was played.
    init(_ scene: Scene) {
        self =
            switch scene.ending {
            case .reached: .reached
            case .unreachable(let reason): .unreachable(reason)
            }
    }

    /// Nil where there is a screen to be seen, or may be one.
    var lost: Lost? {
        switch self {
        case .unknown, .reached: nil
        case .unreachable(let reason):
            Lost(kind: .unreachable, word: "Not reachable", reason: reason)
        case .broken(let mistake): Lost(kind: .broken, word: "Broken", reason: mistake)
        }
    }

    var reason: String? { lost?.reason }

    var isBroken: Bool { lost?.kind == .broken }

    /// What stands where a screen would.
    struct Lost: Encodable, Sendable, Equatable {
        var kind: Kind
        /// `Broken`.
        var word: String
        var reason: String

        enum Kind: String, Encodable, Sendable { case unreachable, broken }
    }
}

extension ChipModel {
    init(_ showing: Showing) {
        self =
            switch showing {
            case .unknown: ChipModel(text: "not run yet", tone: .neutral)
            case .reached: ChipModel(text: "reached", tone: .ok, chipIcon: "check")
            case .unreachable: ChipModel(text: "not reachable", tone: .warn, chipIcon: "warn")
            case .broken: ChipModel(text: "broken", tone: .bad, chipIcon: "cross")
            }
    }
}
