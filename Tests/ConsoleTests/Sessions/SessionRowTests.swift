import Backend
import DomainMocks
import FoundationEssentials
import Simulator
import Testing

@testable import Console

@Suite(.timeLimit(.minutes(10))) struct SessionRowTests {
    private let now = Date(timeIntervalSince1970: 1_795_271_727)

    private func row(_ session: Session, verdict: SignatureVerification? = nil) -> SessionRow {
        SessionRow(session, app: nil, device: "iPhone 15", verdict: verdict, now: now)
    }

    @Test func `the number of refreshes counts from the sign-in`() {
        #expect(row(.mock(at: now)).refreshCount == "1")
        #expect(row(.mock(at: now, refresh: false)).refreshCount == "–")
    }

    @Test func `a token in the last fifth of its lifetime is expiring soon`() {
        #expect(!row(.mock(at: now, endsIn: 263)).isExpiringSoon)
        #expect(row(.mock(at: now, endsIn: 10)).isExpiringSoon)
    }

    @Test(arguments: [
        (263.0, "4:23"), (-12.0, "Expired 12 s ago"), (-730.0, "Expired 12 min ago"),
        (518_405.0, "6 d"),
    ])
    func `the remaining time is shown in a suitable unit`(seconds: Double, expected: String) {
        #expect(row(.mock(at: now, endsIn: seconds)).expiresIn == expected)
    }

    @Test(arguments: [Session.State.signedOut, .revoked])
    func `a session that is over has no verdict and no expiry`(state: Session.State) {
        let row = row(
            .mock(state, at: now, ended: true),
            verdict: SignatureVerification(status: .verified, reason: ""))
        #expect(row.ended == (state == .signedOut) && row.signature == "–" && row.expiresIn == "–")
        #expect(row.expiresAt == nil)
    }

    @Test func `only an invalid signature is bad, an unverified one is neutral`() {
        let invalid = row(
            .mock(at: now), verdict: SignatureVerification(status: .invalid, reason: ""))
        #expect(invalid.signatureTone == "bad")
        let unverified = row(
            .mock(at: now), verdict: SignatureVerification(status: .unverified, reason: ""))
        #expect(unverified.signatureTone == "" && unverified.signature == "Not verified")
    }

    @Test func `a user without an email address is named by a short id`() {
        var session = Session.mock(at: now)
        session.email = nil
        #expect(session.userLabel == "User 8Kq2…4hTz")
        session.userID = nil
        #expect(session.userLabel == "Device 1")
    }
}
