import Backend
import FoundationEssentials
import Testing
import Web

@testable import Console
@testable import Simulator

/// Disagreements, each a sentence.
@Suite(.timeLimit(.minutes(10))) struct SessionComparisonTests {
    private let now = Date(timeIntervalSince1970: 1_795_271_727)

    private func evidence(
        claims: JSON = ["sub": "usr_1", "email": "nora@example.com"], endsIn seconds: Double = 263,
        ended: Bool = false
    ) -> SessionSources {
        var session = Session.mock(
            ended ? .signedOut : .active, at: now, endsIn: seconds, ended: ended)
        session.accessToken?.claims = claims
        session.refreshCount = 0
        var sources = SessionSources(session: session, app: nil, now: now)
        sources.hasAccessToken = !ended
        sources.hasRefreshToken = !ended
        sources.serverState = ServerSessionState.mock(at: now)
        sources.verdict = SignatureVerification(
            status: .verified, algorithm: "ES256", keyID: "key_3f2a", reason: "")
        return sources
    }

    private func fact(_ id: String, _ sources: SessionSources) -> ComparedField? {
        SessionComparison(sources: sources).fields.first { $0.id == id }
    }

    private func kinds(_ sources: SessionSources) -> [Discrepancy.Kind] {
        SessionComparison(sources: sources).discrepancies.map(\.disagreement.kind)
    }

    @Test func `sides that say the same agree, and one alone does not`() {
        let sources = evidence()
        #expect(kinds(sources).isEmpty)
        #expect(fact("state", sources)?.isAgreed == true)
        #expect(fact("user", sources)?.isAgreed == true)
        #expect(fact("user", sources)?.deviceValue == SourceValue.none)
        #expect(fact("issued", sources)?.isAgreed == false)
    }

    @Test func `a session ended at the server is revoked but still stored`() {
        var sources = evidence()
        sources.serverState?.session?.revokedAt = now.addingTimeInterval(-77)
        sources.serverState?.session?.revocationReason = "refresh token reused"
        #expect(kinds(sources) == [.revoked, .revoked])
        let state = fact("state", sources)
        #expect(state?.discrepancy?.outlier == .server)
        #expect(state?.discrepancy?.explanation.contains("does not know yet") == true)
        #expect(fact("generation", sources)?.serverValue.displayText == "1, family dead")
    }

    @Test func `a claim older than a verification is stale, a refresh mends`() {
        var sources = evidence(claims: ["sub": "usr_1", "email_verified": false])
        sources.serverState?.account?.emailVerifiedAt = now
        let fact = fact("emailVerified", sources)
        #expect(fact?.discrepancy?.kind == .staleEmailVerification)
        #expect(fact?.discrepancy?.outlier == .token)
        #expect(fact?.discrepancy?.fix == "A refresh would carry it.")
        sources.hasRefreshToken = false
        #expect(
            self.fact("emailVerified", sources)?.discrepancy?.fix
                == "Signing in again would carry it.")
    }

    @Test func `a stored flag older than a verification is the odd one`() {
        var sources = evidence(claims: ["sub": "usr_1", "email_verified": true])
        sources.storedValues["emailVerified"] = false
        sources.serverState?.account?.emailVerifiedAt = now
        #expect(fact("emailVerified", sources)?.discrepancy?.outlier == .device)
    }

    @Test func `a token over on this clock is named, but marks no list`() {
        let sources = evidence(endsIn: -12)
        #expect(kinds(sources) == [.expired])
        #expect(SessionComparison(sources: sources).discrepancyCount == 0)
    }

    @Test func `a key nobody published and a wrong signature are told apart`() {
        var sources = evidence()
        sources.verdict = SignatureVerification(status: .unverified, reason: "")
        #expect(kinds(sources) == [.unknownKey])
        sources.verdict = SignatureVerification(status: .invalid, reason: "")
        #expect(kinds(sources) == [.invalidSignature])
        // Of a real backend nobody here has keys: that is no disagreement.
        sources.serverState = nil
        sources.verdict = SignatureVerification(status: .unverified, reason: "")
        #expect(kinds(sources).isEmpty)
    }

    @Test func `an account that is gone, disabled or locked is named`() {
        var sources = evidence()
        sources.serverState?.account?.lockedUntil = now.addingTimeInterval(60)
        #expect(kinds(sources) == [.accountLocked])
        sources.serverState?.account?.lockedUntil = now
        #expect(kinds(sources).isEmpty)
        sources.serverState?.account?.disabledAt = now
        #expect(kinds(sources) == [.accountDisabled])
        sources.serverState = ServerSessionState(session: nil, account: nil)
        #expect(kinds(sources).contains(.accountDeleted))
    }

    @Test func `another generation than the stored one is current`() {
        var sources = evidence()
        sources.serverState?.session?.generation = 2
        sources.serverState?.requestedTokens = [.mock(at: now, used: now)]
        let fact = fact("generation", sources)
        #expect(fact?.discrepancy?.kind == .generationMismatch)
        #expect(fact?.discrepancy?.outlier == .device)
        sources.serverState?.requestedTokens = [nil]
        #expect(kinds(sources) == [.unknownRefreshToken])
    }

    @Test func `a family that does not rotate keeps its generation`() {
        var sources = evidence()
        var session = sources.session
        session.refreshCount = 5
        sources = SessionSources(session: session, app: nil, now: now)
        sources.hasAccessToken = true
        sources.hasRefreshToken = true
        sources.serverState = .mock(at: now)
        #expect(fact("generation", sources)?.isAgreed == true)
    }

    @Test func `values of two people are named`() {
        var sources = evidence()
        sources.storedValues["userID"] = "usr_2"
        #expect(kinds(sources) == [.userMismatch])
        #expect(fact("user", sources)?.discrepancy?.outlier == .device)
        sources.storedValues = ["user": ["id": "usr_1", "email": "n@example.com"]]
        #expect(kinds(sources) == [.emailMismatch])
    }

    @Test func `whoever signed out where the server was not told, is told`() {
        let sources = evidence(ended: true)
        #expect(kinds(sources) == [.openOnServer])
        #expect(SessionComparison(sources: sources).discrepancyCount == 0)
    }

    @Test func `a real backend is not asked by itself, and its answer counts`() {
        var sources = evidence()
        sources.serverState = nil
        #expect(fact("state", sources)?.serverValue == .unknown("not asked yet"))
        #expect(fact("user", sources)?.serverValue == .unknown("not asked yet"))
        sources.lastResponse = SessionObservation(
            at: now, observedAt: now, exchange: "exc_1", call: "me", status: 200, isAccepted: true,
            capturedValues: ["user": ["id": "usr_9"]], totalMilliseconds: 1, maskedToken: "",
            isProbe: true)
        #expect(kinds(sources) == [.userMismatch])
        sources.lastResponse?.isAccepted = false
        sources.lastResponse?.status = 401
        sources.lastResponse?.capturedValues = [:]
        #expect(kinds(sources) == [.refused])
    }

    @Test func `what else is stored is held against claims of its name`() {
        var sources = evidence(claims: ["sub": "usr_1", "display_name": "Nora"])
        sources.storedValues = ["displayName": "Nora L.", "theme": "dark"]
        #expect(kinds(sources) == [.valueMismatch])
        #expect(fact("theme", sources) == nil)
    }

    @Test func `no value of one side stands for another`() {
        let sources = evidence()
        for fact in SessionComparison(sources: sources).fields {
            if fact.deviceValue == .none { #expect(fact.deviceValue.displayText == "–") }
        }
    }
}
