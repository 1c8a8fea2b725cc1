/// A refresh somebody made on purpose: by two tabs, with an old token, or
/// with an answer that got lost.
package struct RefreshTest: Sendable, Equatable {
    package var kind: Kind
    /// What was sent, in the order in which it came back.
    package var requests: [Request]

    package enum Kind: String, Sendable, CaseIterable {
        case concurrent = "race"
        case replay
        case dropResponse = "lostAnswer"
    }

    /// How the words of a race name who sent what, in this order.
    package static let clientNames = ["One tab", "The other tab"]
    /// How those of a replay tell a token that had been used from others.
    package static let reusedText = "used again"
    package static let usedElsewhereText = "used elsewhere"

    /// One request of a trial.
    package struct Request: Sendable, Equatable {
        package var exchange: String
        /// Nil if there was no answer.
        package var status: Int?
        package var outcome: Outcome
        /// The generation of the refresh token it carried.
        package var generation: Int
        /// A sentence without secrets.
        package var message: String
    }

    package enum Outcome: String, Sendable, CaseIterable {
        /// It brought tokens, and the device keeps them.
        case stored = "kept"
        /// It brought tokens, and the device does not have them.
        case accepted = "taken"
        case rejected = "refused"
        case noResponse = "unanswered"
    }
}
