import Storyboards

/// Whether a state was reached, cannot be reached, or has a template that fails to render.
struct RenderStatus: Encodable, Sendable {
    var kind: Kind
    /// Why there is no screen: a sentence, or the template error `file:line:column: detail`.
    var reason: String?
    var chip: ChipModel

    enum Kind: String, Encodable, Sendable { case notPlayed, reached, unreachable, broken }

    private init(_ kind: Kind, _ chip: ChipModel, reason: String? = nil) {
        self.kind = kind
        self.chip = chip
        self.reason = reason
    }

    static let notPlayed = RenderStatus(.notPlayed, ChipModel(text: "Not rendered", tone: .neutral))
    static let reached = RenderStatus(
        .reached, ChipModel(text: "Reached", tone: .ok, chipIcon: "check"))

    static func unreachable(_ reason: String) -> RenderStatus {
        RenderStatus(
            .unreachable, ChipModel(text: "Unreachable", tone: .warn, chipIcon: "warn"),
            reason: reason)
    }

    static func broken(_ error: any Error) -> RenderStatus {
        RenderStatus(
            .broken, ChipModel(text: "Broken", tone: .bad, chipIcon: "cross"), reason: "\(error)")
    }

    /// Nil if a screen can be shown, or may be once the state is played.
    var failure: RenderStatus? { reason == nil ? nil : self }
}
