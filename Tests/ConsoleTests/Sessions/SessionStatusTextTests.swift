import Backend
import DomainMocks
import FoundationEssentials
import Templates
import Testing
import Web

@testable import Console
@testable import Inspection
@testable import Simulator

@Suite(.timeLimit(.minutes(10))) struct SessionStatusTextTests {
    private let now = Date(timeIntervalSince1970: 1_795_271_727)

    private func makeSources(
        _ state: Session.State = .active, endsIn seconds: Double? = 263, refresh: Bool = true,
        ended: Bool = false
    ) -> SessionSources {
        var sources = SessionSources(
            session: .mock(state, at: now, endsIn: seconds, refresh: refresh, ended: ended),
            app: nil, now: now)
        sources.hasAccessToken = !ended
        sources.hasRefreshToken = refresh && !ended
        return sources
    }

    /// The text with the embedded backend, at which the session is open.
    private func statusText(
        _ state: Session.State, endsIn seconds: Double? = 263, refresh: Bool = true,
        ended: Bool = false, canProbe: Bool = true
    ) -> SessionStatusText {
        var sources = makeSources(state, endsIn: seconds, refresh: refresh, ended: ended)
        sources.serverState = .mock(at: now)
        return SessionStatusText(sources: sources, canProbe: canProbe)
    }

    private func sourcesWithResponse(_ isAccepted: Bool?, of masked: String = "eyJhbG…x9Qw")
        -> SessionSources
    {
        var sources = makeSources()
        var observation = makeObservation(5)
        observation.isAccepted = isAccepted
        observation.status = isAccepted == true ? 200 : 401
        observation.maskedToken = masked
        sources.lastResponse = observation
        return sources
    }

    @Test func `an active session shows its remaining time and what follows`() {
        let statusText = statusText(.active)
        #expect(statusText.title == "Still accepted")
        #expect(statusText.remaining?.remaining == "4:23")
        #expect(statusText.text.contains("silent refresh"))
    }

    @Test func `without a response of the backend the text claims no acceptance`() {
        for canProbe in [true, false] {
            let statusText = SessionStatusText(sources: makeSources(), canProbe: canProbe)
            #expect(statusText.title == "Unknown")
            #expect(!statusText.text.contains("Requests are accepted"))
            #expect(statusText.text.contains("The token expires "))
            #expect(statusText.text.contains(canProbe ? "Not checked" : "cannot be tested"))
        }
        let own = statusText(.active, canProbe: false)
        #expect(own.title == "Open on the server")
        #expect(!own.text.contains("Requests are accepted"))
    }

    @Test func `a backend's response counts only for the token it was about`() {
        let rejected = SessionStatusText(sources: sourcesWithResponse(false), canProbe: true)
        #expect(rejected.title == "Rejected")
        #expect(rejected.text.contains("rejected the access token with 401"))
        #expect(rejected.remaining == nil)
        let accepted = SessionStatusText(sources: sourcesWithResponse(true), canProbe: true)
        #expect(accepted.title == "Last check: accepted")
        #expect(accepted.text.contains("accepted the token at"))
        // The response was to another token than the current one.
        let older = SessionStatusText(
            sources: sourcesWithResponse(false, of: "old…"), canProbe: true)
        #expect(older.title == "Unknown")
    }

    @Test func `a deleted or disabled account determines the status`() {
        var sources = makeSources()
        sources.serverState = .mock(at: now)
        sources.serverState?.account?.disabledAt = Timestamp(now)
        #expect(SessionStatusText(sources: sources, canProbe: true).title == "Account disabled")
        sources.serverState = .deleted
        #expect(SessionStatusText(sources: sources, canProbe: true).title == "Account deleted")
    }

    @Test func `an expiry on another day includes its date`() {
        let month = 30.0 * 86_400
        let text = statusText(.active, endsIn: month).text
        #expect(text.contains("Requests are accepted until 2026-12-"), "\(text)")
        let card = TokenCard(
            name: "Access token", testID: "t", id: "access",
            summary: Session.mock(at: now, endsIn: month).accessToken!,
            verdict: ChipModel(text: "", tone: .ok), now: now)
        let claims: [TemplateModel]? = card.model().member("claims")
        let span = claims?.first { $0.member("name") == "iat → exp" }
        #expect(span?.member("value", String.self)?.contains("→ 2026-12-") == true)
    }

    @Test func `a token rejected by the server has no countdown`() {
        let summary = Session.mock(at: now).accessToken!
        func model(_ isAccepted: Bool) -> (title: String?, token: TemplateModel?) {
            var observation = makeObservation(5)
            observation.isAccepted = isAccepted
            let model = UnexpiredToken.model(
                [
                    UnexpiredToken(
                        name: "Generation 1", token: summary, number: 1, response: observation)
                ], hasEnded: true, now: now, systemNow: now)
            return (
                model.member("title"), model.member("tokens", [TemplateModel].self)?.first
            )
        }
        let rejected = model(false)
        #expect(rejected.title == "Access tokens rejected before expiry")
        #expect(rejected.token?.member("rejectedChip", ChipModel.self) != nil)
        #expect(rejected.token?.member("countdown", CountdownModel.self) == nil)
        let accepted = model(true)
        #expect(accepted.title == "Access tokens still valid")
        #expect(accepted.token?.member("rejectedChip", ChipModel.self) == nil)
        #expect(accepted.token?.member("countdown", CountdownModel.self) != nil)
    }

    @Test func `without a refresh token the user signs in again`() {
        #expect(statusText(.active, refresh: false).text.contains("signs in again"))
        #expect(statusText(.expired, endsIn: -60, refresh: false).text.contains("signs in again"))
    }

    @Test func `a token without an expiry is shown as such`() {
        let statusText = statusText(.active, endsIn: nil)
        #expect(statusText.remaining == nil)
        #expect(statusText.text.contains("has no expiry"))
    }

    private func makeObservation(_ seconds: Double, ago moved: Double = 0, hadEnded: Bool? = nil)
        -> SessionObservation
    {
        SessionObservation(
            at: now.addingTimeInterval(moved), observedAt: now.addingTimeInterval(-seconds),
            exchange: "exc_1", call: "me", status: 200, isAccepted: true, capturedValues: [:],
            totalMilliseconds: 1,
            maskedToken: "", isProbe: true, hadEnded: hadEnded)
    }

    @Test func `the age of a response does not depend on the workspace clock`() {
        func text(_ observation: SessionObservation, hasEnded: Bool = false) -> String? {
            observation.model(hasEnded: hasEnded, now: now).member("resultText")
        }
        #expect(text(makeObservation(5, ago: -3_600)) == "Accepted just now")
        #expect(text(makeObservation(61, ago: 3_600)) == "Last check: accepted")
        #expect(
            text(makeObservation(5, ago: 3_600, hadEnded: false), hasEnded: true)
                == "Last check: accepted, before the session ended")
        #expect(
            text(makeObservation(5, ago: -3_600, hadEnded: true), hasEnded: true)
                == "Accepted just now")
    }

    @Test(arguments: [(Session.State.signedOut, "Signed out"), (.revoked, "Revoked")])
    func `an ended session has no remaining time`(state: Session.State, title: String) {
        let statusText = statusText(state, ended: true)
        #expect(statusText.title == title)
        #expect(statusText.remaining == nil)
    }
}
