import Backend
import DomainMocks
import FoundationEssentials
import Testing
import Web

@testable import Inspection
@testable import Simulator

/// Discrepancies between device, token and server.
@Suite(.timeLimit(.minutes(10))) struct SessionComparisonTests {
    private let now = Date(timeIntervalSince1970: 1_795_271_727)

    private func makeSources(
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

    private func field(_ id: String, _ sources: SessionSources) -> ComparedField? {
        SessionComparison(sources: sources).fields.first { $0.id == id }
    }

    private func kinds(_ sources: SessionSources) -> [Discrepancy.Kind] {
        SessionComparison(sources: sources).discrepancies.map(\.discrepancy.kind)
    }

    @Test func `equal values agree and a value of one source alone does not`() {
        let sources = makeSources()
        #expect(kinds(sources).isEmpty)
        #expect(field("state", sources)?.isAgreed == true)
        #expect(field("user", sources)?.isAgreed == true)
        #expect(field("user", sources)?.deviceValue == SourceValue.none)
        #expect(field("issued", sources)?.isAgreed == false)
    }

    @Test func `a session ended at the server is revoked but still stored`() {
        var sources = makeSources()
        sources.serverState?.session?.revokedAt = Timestamp(now.addingTimeInterval(-77))
        sources.serverState?.session?.revocationReason = "refresh token reused"
        #expect(kinds(sources) == [.revoked, .revoked])
        let state = field("state", sources)
        #expect(state?.discrepancy?.outlier == .server)
        #expect(state?.discrepancy?.explanation.contains("has not noticed") == true)
        #expect(field("generation", sources)?.serverValue.displayText == "1, token family revoked")
    }

    @Test func `a claim older than the verification is stale and a refresh fixes it`() {
        var sources = makeSources(claims: ["sub": "usr_1", "email_verified": false])
        sources.serverState?.account?.emailVerifiedAt = Timestamp(now)
        let field = field("emailVerified", sources)
        #expect(field?.discrepancy?.kind == .staleEmailVerification)
        #expect(field?.discrepancy?.outlier == .token)
        #expect(field?.discrepancy?.fix == "Refresh to update it.")
        sources.hasRefreshToken = false
        #expect(
            self.field("emailVerified", sources)?.discrepancy?.fix
                == "Sign in again to update it.")
    }

    @Test func `a stored flag older than the verification is the outlier`() {
        var sources = makeSources(claims: ["sub": "usr_1", "email_verified": true])
        sources.storedValues["emailVerified"] = false
        sources.serverState?.account?.emailVerifiedAt = Timestamp(now)
        #expect(field("emailVerified", sources)?.discrepancy?.outlier == .device)
    }

    @Test func `a token expired on this clock is reported but not counted`() {
        let sources = makeSources(endsIn: -12)
        #expect(kinds(sources) == [.expired])
        #expect(SessionComparison(sources: sources).discrepancyCount == 0)
    }

    @Test func `an unknown key and an invalid signature are distinguished`() {
        var sources = makeSources()
        sources.verdict = SignatureVerification(status: .unverified, reason: "")
        #expect(kinds(sources) == [.unknownKey])
        sources.verdict = SignatureVerification(status: .invalid, reason: "")
        #expect(kinds(sources) == [.invalidSignature])
        // Foyer has no keys of a real backend, so an unverified token is no discrepancy.
        sources.serverState = nil
        sources.verdict = SignatureVerification(status: .unverified, reason: "")
        #expect(kinds(sources).isEmpty)
    }

    @Test func `a deleted, disabled or locked account is reported`() {
        var sources = makeSources()
        sources.serverState?.account?.lockedUntil = Timestamp(now.addingTimeInterval(60))
        #expect(kinds(sources) == [.accountLocked])
        sources.serverState?.account?.lockedUntil = Timestamp(now)
        #expect(kinds(sources).isEmpty)
        sources.serverState?.account?.disabledAt = Timestamp(now)
        #expect(kinds(sources) == [.accountDisabled])
        sources.serverState = .deleted
        #expect(kinds(sources).contains(.accountDeleted))
    }

    @Test func `a server at another generation than the device is reported`() {
        var sources = makeSources()
        sources.serverState?.session?.generation = 2
        sources.serverState?.requestedTokens = [.mock(at: now, used: now)]
        let field = field("generation", sources)
        #expect(field?.discrepancy?.kind == .generationMismatch)
        #expect(field?.discrepancy?.outlier == .device)
        sources.serverState?.requestedTokens = [nil]
        #expect(kinds(sources) == [.unknownRefreshToken])
    }

    @Test func `a family without rotation keeps its generation`() {
        var sources = makeSources()
        var session = sources.session
        session.refreshCount = 5
        sources = SessionSources(session: session, app: nil, now: now)
        sources.hasAccessToken = true
        sources.hasRefreshToken = true
        sources.serverState = .mock(at: now)
        #expect(field("generation", sources)?.isAgreed == true)
    }

    @Test func `values of two different users are reported`() {
        var sources = makeSources()
        sources.storedValues["userID"] = "usr_2"
        #expect(kinds(sources) == [.userMismatch])
        #expect(field("user", sources)?.discrepancy?.outlier == .device)
        sources.storedValues = ["user": ["id": "usr_1", "email": "n@example.com"]]
        #expect(kinds(sources) == [.emailMismatch])
    }

    @Test func `a sign-out that the server does not know of is reported`() {
        let sources = makeSources(ended: true)
        #expect(kinds(sources) == [.openOnServer])
        #expect(SessionComparison(sources: sources).discrepancyCount == 0)
    }

    @Test func `a real backend is not called by default and its response counts`() {
        var sources = makeSources()
        sources.serverState = nil
        #expect(field("state", sources)?.serverValue == .unknown("Not checked"))
        #expect(field("user", sources)?.serverValue == .unknown("Not checked"))
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

    @Test func `other stored values are compared with claims of the same name`() {
        var sources = makeSources(claims: ["sub": "usr_1", "display_name": "Nora"])
        sources.storedValues = ["displayName": "Nora L.", "theme": "dark"]
        #expect(kinds(sources) == [.valueMismatch])
        #expect(field("theme", sources) == nil)
    }

    @Test func `a missing device value is shown as a dash`() {
        let sources = makeSources()
        for field in SessionComparison(sources: sources).fields {
            if field.deviceValue == .none { #expect(field.deviceValue.displayText == "–") }
        }
    }
}
