import FoundationEssentials
import Testing
import Web

@testable import Console
@testable import Simulator

@Suite struct SessionStandingTests {
    private let now = Date(timeIntervalSince1970: 1_795_271_727)

    private func standing(
        _ state: Session.State, endsIn seconds: Double? = 263,
        refresh: Bool = true, ended: Bool = false
    ) -> SessionStanding {
        SessionStanding(
            session: .mock(
                state, at: now, endsIn: seconds, refresh: refresh,
                ended: ended),
            server: nil, now: now)
    }

    @Test func `an active session says until when and what comes then`() {
        let standing = standing(.active)
        #expect(standing.title == "Still accepted")
        #expect(standing.remaining?.left == "4:23")
        #expect(standing.text.contains("refresh silently"))
    }

    @Test func `without a refresh token the user signs in again`() {
        #expect(
            standing(.active, refresh: false).text.contains("signs in again"))
        #expect(
            standing(.expired, endsIn: -60, refresh: false).text
                .contains("signs in again"))
    }

    @Test func `an end that is not told is said to be unknown`() {
        let standing = standing(.active, endsIn: nil)
        #expect(standing.remaining == nil)
        #expect(standing.text.contains("does not tell its end"))
    }

    private func answered(
        _ seconds: Double, ago moved: Double = 0, wasOver: Bool? = nil
    ) -> Answered {
        Answered(
            at: now.addingTimeInterval(moved),
            heardAt: now.addingTimeInterval(-seconds), exchange: "exc_1",
            call: "me", status: 200, isAccepted: true, facts: [:], total: 1,
            masked: "", isProbe: true, wasOver: wasOver)
    }

    @Test func `how old an answer is does not change with the clock`() {
        func text(_ answered: Answered, isOver: Bool = false) -> String {
            ProbeModel(answered, isOver: isOver, now: now).answerText
        }
        #expect(text(answered(5, ago: -3_600)) == "Accepted just now")
        #expect(text(answered(61, ago: 3_600)) == "Was accepted")
        #expect(
            text(answered(5, ago: 3_600, wasOver: false), isOver: true)
                == "Was accepted, before the end")
        #expect(
            text(answered(5, ago: -3_600, wasOver: true), isOver: true)
                == "Accepted just now")
    }

    @Test(arguments: [
        (Session.State.signedOut, "Signed out"), (.revoked, "Revoked"),
    ])
    func `a session that ended has no time left`(
        state: Session.State, title: String
    ) {
        let standing = standing(state, ended: true)
        #expect(standing.title == title)
        #expect(standing.remaining == nil)
    }
}
