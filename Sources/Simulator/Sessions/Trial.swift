/// A refresh somebody made on purpose: by two tabs, with an old token, or
/// with an answer that got lost.
package struct Trial: Sendable, Equatable {
    package var kind: Kind
    /// What was sent, in the order in which it came back.
    package var sendings: [Sending]

    package enum Kind: String, Sendable, CaseIterable { case race, replay, lostAnswer }

    /// How the words of a race name who sent what, in this order.
    package static let tabs = ["One tab", "The other tab"]
    /// How those of a replay tell a token that had been used from others.
    package static let again = "used again"
    package static let elsewhere = "used elsewhere"

    /// One request of a trial.
    package struct Sending: Sendable, Equatable {
        package var exchange: String
        /// Nil if there was no answer.
        package var status: Int?
        package var outcome: Outcome
        /// The generation of the refresh token it carried.
        package var generation: Int
        /// A sentence without secrets.
        package var words: String
    }

    package enum Outcome: String, Sendable, CaseIterable {
        /// It brought tokens, and the device keeps them.
        case kept
        /// It brought tokens, and the device does not have them.
        case taken
        case refused
        case unanswered
    }
}
