import Apps
import Traffic
import Web

/// A deliberate refresh: by two clients, with an old token, or with a dropped response.
package struct RefreshTest: Sendable, Equatable {
    package var kind: Kind
    /// The requests in order of completion.
    package var requests: [Request]

    /// What the test does with the refresh token.
    package enum Kind: String, Sendable, CaseIterable {
        case concurrent
        case replay
        case dropResponse
    }

    /// Names of the clients of a concurrent refresh, in order of completion.
    package static let clientNames = ["First client", "Second client"]
    /// How a reuse test describes a token that was certainly used before, and any other.
    package static let reusedText = "reused"
    package static let usedElsewhereText = "used elsewhere"

    /// One request of a refresh test.
    package struct Request: Sendable, Equatable {
        package var exchange: String
        /// Nil without a response.
        package var status: Int?
        package var outcome: Outcome
        /// The generation of the refresh token it carried.
        package var generation: Int
        /// A sentence without secrets.
        package var message: String

        init(_ response: CallResponse, _ outcome: Outcome, _ generation: Int, _ message: String) {
            exchange = response.sent.id
            status = response.status
            self.outcome = outcome
            self.generation = generation
            self.message = message
        }
    }

    /// The result of one of the test's refresh requests.
    package enum Outcome: String, Sendable, CaseIterable {
        /// It brought tokens, and the device stores them.
        case stored
        /// It brought tokens that the device does not have.
        case accepted
        case rejected
        case noResponse
    }
}

/// A session with everything that a test of its tokens needs.
struct TokenTestContext: Sendable {
    let session: Session
    let state: ActionContext
    let run: ActionRun

    func currentRefreshToken() throws(Problem) -> String {
        guard session.endedAt == nil, state.persisted.session?.id == session.id,
            let token = state.stored.refreshToken(in: state.app)
        else {
            throw Problem(
                status: 409, code: "no-refresh-token", title: "No refresh token on the device",
                detail: "Only old generations can be reused.")
        }
        return token
    }
}
