import Backend
import FoundationEssentials
import Testing
import Web

@testable import Console
@testable import Simulator

/// Disagreements, each a sentence.
@Suite(.timeLimit(.minutes(10))) struct ThreeViewsTests {
    private let now = Date(timeIntervalSince1970: 1_795_271_727)

    private func evidence(
        claims: JSON = ["sub": "usr_1", "email": "nora@example.com"], endsIn seconds: Double = 263,
        ended: Bool = false
    ) -> Evidence {
        var session = Session.mock(
            ended ? .signedOut : .active, at: now, endsIn: seconds, ended: ended)
        session.accessToken?.claims = claims
        session.refreshCount = 0
        var evidence = Evidence(session: session, app: nil, now: now)
        evidence.hasAccessToken = !ended
        evidence.hasRefreshToken = !ended
        evidence.truth = Truth.mock(at: now)
        evidence.verdict = Verdict(
            word: .verified, algorithm: "ES256", keyID: "key_3f2a", reason: "")
        return evidence
    }

    private func fact(_ id: String, _ evidence: Evidence) -> ViewFact? {
        ThreeViews(evidence: evidence).facts.first { $0.id == id }
    }

    private func kinds(_ evidence: Evidence) -> [Disagreement.Kind] {
        ThreeViews(evidence: evidence).disagreements.map(\.disagreement.kind)
    }

    @Test func `sides that say the same agree, and one alone does not`() {
        let evidence = evidence()
        #expect(kinds(evidence).isEmpty)
        #expect(fact("state", evidence)?.isAgreed == true)
        #expect(fact("user", evidence)?.isAgreed == true)
        #expect(fact("user", evidence)?.stored == Side.none)
        #expect(fact("issued", evidence)?.isAgreed == false)
    }

    @Test func `a session ended at the server is revoked but still stored`() {
        var evidence = evidence()
        evidence.truth?.session?.revokedAt = now.addingTimeInterval(-77)
        evidence.truth?.session?.revokedBecause = "refresh token reused"
        #expect(kinds(evidence) == [.revoked, .revoked])
        let state = fact("state", evidence)
        #expect(state?.disagreement?.odd == .known)
        #expect(state?.disagreement?.why.contains("does not know yet") == true)
        #expect(fact("generation", evidence)?.known.shown == "1, family dead")
    }

    @Test func `a claim older than a verification is stale, a refresh mends`() {
        var evidence = evidence(claims: ["sub": "usr_1", "email_verified": false])
        evidence.truth?.account?.emailVerifiedAt = now
        let fact = fact("emailVerified", evidence)
        #expect(fact?.disagreement?.kind == .verifiedStale)
        #expect(fact?.disagreement?.odd == .claimed)
        #expect(fact?.disagreement?.mend == "A refresh would carry it.")
        evidence.hasRefreshToken = false
        #expect(
            self.fact("emailVerified", evidence)?.disagreement?.mend
                == "Signing in again would carry it.")
    }

    @Test func `a stored flag older than a verification is the odd one`() {
        var evidence = evidence(claims: ["sub": "usr_1", "email_verified": true])
        evidence.held["emailVerified"] = false
        evidence.truth?.account?.emailVerifiedAt = now
        #expect(fact("emailVerified", evidence)?.disagreement?.odd == .stored)
    }

    @Test func `a token over on this clock is named, but marks no list`() {
        let evidence = evidence(endsIn: -12)
        #expect(kinds(evidence) == [.expired])
        #expect(ThreeViews(evidence: evidence).drift == 0)
    }

    @Test func `a key nobody published and a wrong signature are told apart`() {
        var evidence = evidence()
        evidence.verdict = Verdict(word: .unverified, reason: "")
        #expect(kinds(evidence) == [.keyUnknown])
        evidence.verdict = Verdict(word: .invalid, reason: "")
        #expect(kinds(evidence) == [.signatureWrong])
        // Of a real backend nobody here has keys: that is no disagreement.
        evidence.truth = nil
        evidence.verdict = Verdict(word: .unverified, reason: "")
        #expect(kinds(evidence).isEmpty)
    }

    @Test func `an account that is gone, disabled or locked is named`() {
        var evidence = evidence()
        evidence.truth?.account?.lockedUntil = now.addingTimeInterval(60)
        #expect(kinds(evidence) == [.accountLocked])
        evidence.truth?.account?.lockedUntil = now
        #expect(kinds(evidence).isEmpty)
        evidence.truth?.account?.disabledAt = now
        #expect(kinds(evidence) == [.accountDisabled])
        evidence.truth = Truth(session: nil, account: nil)
        #expect(kinds(evidence).contains(.accountDeleted))
    }

    @Test func `another generation than the stored one is current`() {
        var evidence = evidence()
        evidence.truth?.session?.generation = 2
        evidence.truth?.asked = [.mock(at: now, used: now)]
        let fact = fact("generation", evidence)
        #expect(fact?.disagreement?.kind == .otherGeneration)
        #expect(fact?.disagreement?.odd == .stored)
        evidence.truth?.asked = [nil]
        #expect(kinds(evidence) == [.refreshUnknown])
    }

    @Test func `a family that does not rotate keeps its generation`() {
        var evidence = evidence()
        var session = evidence.session
        session.refreshCount = 5
        evidence = Evidence(session: session, app: nil, now: now)
        evidence.hasAccessToken = true
        evidence.hasRefreshToken = true
        evidence.truth = .mock(at: now)
        #expect(fact("generation", evidence)?.isAgreed == true)
    }

    @Test func `values of two people are named`() {
        var evidence = evidence()
        evidence.held["userID"] = "usr_2"
        #expect(kinds(evidence) == [.userChanged])
        #expect(fact("user", evidence)?.disagreement?.odd == .stored)
        evidence.held = ["user": ["id": "usr_1", "email": "n@example.com"]]
        #expect(kinds(evidence) == [.emailChanged])
    }

    @Test func `whoever signed out where the server was not told, is told`() {
        let evidence = evidence(ended: true)
        #expect(kinds(evidence) == [.stillOpen])
        #expect(ThreeViews(evidence: evidence).drift == 0)
    }

    @Test func `a real backend is not asked by itself, and its answer counts`() {
        var evidence = evidence()
        evidence.truth = nil
        #expect(fact("state", evidence)?.known == .unknown("not asked yet"))
        #expect(fact("user", evidence)?.known == .unknown("not asked yet"))
        evidence.answered = Answered(
            at: now, heardAt: now, exchange: "exc_1", call: "me", status: 200, isAccepted: true,
            facts: ["user": ["id": "usr_9"]], total: 1, masked: "", isProbe: true)
        #expect(kinds(evidence) == [.userChanged])
        evidence.answered?.isAccepted = false
        evidence.answered?.status = 401
        evidence.answered?.facts = [:]
        #expect(kinds(evidence) == [.refused])
    }

    @Test func `what else is stored is held against claims of its name`() {
        var evidence = evidence(claims: ["sub": "usr_1", "display_name": "Nora"])
        evidence.held = ["displayName": "Nora L.", "theme": "dark"]
        #expect(kinds(evidence) == [.differs])
        #expect(fact("theme", evidence) == nil)
    }

    @Test func `no value of one side stands for another`() {
        let evidence = evidence()
        for fact in ThreeViews(evidence: evidence).facts {
            if fact.stored == .none { #expect(fact.stored.shown == "–") }
        }
    }
}
