import Backend
import FoundationEssentials
import Testing
import Web

@testable import Console
@testable import Simulator

@Suite(.timeLimit(.minutes(10))) struct SessionStatusTextTests {
    private let now = Date(timeIntervalSince1970: 1_795_271_727)

    private func evidence(
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

    /// With the embedded backend, which has the session open.
    private func standing(
        _ state: Session.State, endsIn seconds: Double? = 263, refresh: Bool = true,
        ended: Bool = false, canAsk: Bool = true
    ) -> SessionStatusText {
        var sources = evidence(state, endsIn: seconds, refresh: refresh, ended: ended)
        sources.serverState = .mock(at: now)
        return SessionStatusText(sources, canProbe: canAsk)
    }

    private func heard(_ isAccepted: Bool?, of masked: String = "eyJhbG…x9Qw") -> SessionSources {
        var sources = evidence()
        var observation = answered(5)
        observation.isAccepted = isAccepted
        observation.status = isAccepted == true ? 200 : 401
        observation.maskedToken = masked
        sources.lastResponse = observation
        return sources
    }

    @Test func `an active session says until when and what comes then`() {
        let standing = standing(.active)
        #expect(standing.title == "Still accepted")
        #expect(standing.remaining?.remaining == "4:23")
        #expect(standing.text.contains("refresh silently"))
    }

    @Test func `of a backend nobody asked nothing is said to be accepted`() {
        for canAsk in [true, false] {
            let standing = SessionStatusText(evidence(), canProbe: canAsk)
            #expect(standing.title == "Not known")
            #expect(!standing.text.contains("Calls pass"))
            #expect(standing.text.contains("The token tells to last until"))
            #expect(standing.text.contains(canAsk ? "Nobody asked" : "cannot be asked"))
        }
        let own = standing(.active, canAsk: false)
        #expect(own.title == "Open at its server")
        #expect(!own.text.contains("Calls pass"))
    }

    @Test func `what a backend answered is said, and no more than that`() {
        let refused = SessionStatusText(heard(false), canProbe: true)
        #expect(refused.title == "Refused")
        #expect(refused.text.contains("refused the access token with 401"))
        #expect(refused.remaining == nil)
        let taken = SessionStatusText(heard(true), canProbe: true)
        #expect(taken.title == "Accepted when asked")
        #expect(taken.text.contains("took the token at"))
        // The answer was to another token than the one that is held now.
        let older = SessionStatusText(heard(false, of: "old…"), canProbe: true)
        #expect(older.title == "Not known")
    }

    @Test func `an account that is gone or disabled speaks against it`() {
        var sources = evidence()
        sources.serverState = .mock(at: now)
        sources.serverState?.account?.disabledAt = now
        #expect(SessionStatusText(sources, canProbe: true).title == "Account disabled")
        sources.serverState = ServerSessionState(session: nil, account: nil)
        #expect(SessionStatusText(sources, canProbe: true).title == "Account deleted")
    }

    @Test func `an end on another day has its date`() {
        let month = 30.0 * 86_400
        let text = standing(.active, endsIn: month).text
        #expect(text.contains("Calls pass until 2026-12-"), "\(text)")
        let card = TokenModel.access(
            Session.mock(at: now, endsIn: month).accessToken!, verdict: nil,
            context: TokenModel.CardContext(
                testID: "t", swapPart: "tokens", revealURL: { $0 }, hideURL: "", copyURL: { $0 }),
            now: now)
        let span = card.claims.first { $0.name == "iat → exp" }
        #expect(span?.value.contains("→ 2026-12-") == true)
    }

    @Test func `a token the server refused is not said to live`() {
        let summary = Session.mock(at: now).accessToken!
        func window(_ isAccepted: Bool) -> UnexpiredTokensModel {
            var observation = answered(5)
            observation.isAccepted = isAccepted
            return UnexpiredTokensModel(
                [UnexpiredToken(name: "Generation 1", token: summary, number: 1)], hasEnded: true,
                probeAction: nil, probes: [summary.maskedValue: observation], now: now,
                systemNow: now)
        }
        let refused = window(false)
        #expect(refused.title == "Access tokens refused before their end")
        #expect(refused.tokens[0].refusedChip != nil)
        #expect(refused.tokens[0].countdown == nil)
        let open = window(true)
        #expect(open.title == "Access tokens not yet over")
        #expect(open.tokens[0].refusedChip == nil)
        #expect(open.tokens[0].countdown != nil)
    }

    @Test func `without a refresh token the user signs in again`() {
        #expect(standing(.active, refresh: false).text.contains("signs in again"))
        #expect(standing(.expired, endsIn: -60, refresh: false).text.contains("signs in again"))
    }

    @Test func `an end that is not told is said to be unknown`() {
        let standing = standing(.active, endsIn: nil)
        #expect(standing.remaining == nil)
        #expect(standing.text.contains("does not tell its end"))
    }

    private func answered(_ seconds: Double, ago moved: Double = 0, wasOver: Bool? = nil)
        -> SessionObservation
    {
        SessionObservation(
            at: now.addingTimeInterval(moved), observedAt: now.addingTimeInterval(-seconds),
            exchange: "exc_1", call: "me", status: 200, isAccepted: true, capturedValues: [:],
            totalMilliseconds: 1,
            maskedToken: "", isProbe: true, hadEnded: wasOver)
    }

    @Test func `how old an answer is does not change with the clock`() {
        func text(_ observation: SessionObservation, isOver: Bool = false) -> String {
            ProbeModel(observation, hasEnded: isOver, now: now).resultText
        }
        #expect(text(answered(5, ago: -3_600)) == "Accepted just now")
        #expect(text(answered(61, ago: 3_600)) == "Was accepted")
        #expect(
            text(answered(5, ago: 3_600, wasOver: false), isOver: true)
                == "Was accepted, before the end")
        #expect(text(answered(5, ago: -3_600, wasOver: true), isOver: true) == "Accepted just now")
    }

    @Test(arguments: [(Session.State.signedOut, "Signed out"), (.revoked, "Revoked")])
    func `a session that ended has no time left`(state: Session.State, title: String) {
        let standing = standing(state, ended: true)
        #expect(standing.title == title)
        #expect(standing.remaining == nil)
    }
}
