import FoundationEssentials

@testable import Console

private let token = "token-of-this-page"

extension HomeModel {
    static let mock = HomeModel(
        heading: "One app, one workspace",
        appsNote: "1 manifest",
        studioURL: "/studio/mystica", sessionsText: "1 session", walkthroughURL: "/walkthrough",
        walkthroughText: "Start with Mystica",
        apps: [
            AppCard(
                id: "mystica", name: "Mystica", glyph: .mock, coverBackground: "#2D1810",
                sizeText: "6 screens, 17 states", tone: "ok", stateText: "On map",
                links: ["studio": "/studio/mystica", "sessions": "/sessions?app=mystica"])
        ])
}

extension ListModel where Row == SessionRow {
    static func mock(user: String = "nora.lind@example.com") -> Self {
        Self(
            totalText: "1 on 1 device", liveEventKinds: "session.began",
            filters: .mock(query: user),
            segments: [
                .init(
                    segmentID: "sessions.state.all", name: "All", segmentCount: "1",
                    href: "/sessions", current: true)
            ],
            rows: [
                Row(
                    id: "s1", href: "/sessions/s1", ended: false, tone: "ok", stateName: "Active",
                    user: user, glyph: .mock, appName: "Mystica", device: "iPhone 15",
                    backend: "embedded", signature: "Valid", signatureTone: "ok",
                    signatureIcon: "shield", expiresIn: "4:23", isExpiringSoon: false,
                    expiresAt: "2026-11-21T14:39:50Z", lifetime: "300", refreshCount: "1",
                    isOutOfSync: true, createdAt: "2026-11-21T14:34:06Z", createdAge: "1 min",
                    refreshedAge: "–"
                )
            ], pager: PagerModel(range: "1–1 of 1", olderURL: "?after=s1"))
    }
}

extension SessionModel {
    static func mock(user: String = "nora.lind@example.com") -> SessionModel {
        SessionModel(
            glyph: .mock,
            user: user, stateChip: ChipModel(text: "Active", tone: .ok),
            locationText: "Mystica on iPhone 15", probeAction: "/sessions/s1/probe",
            refreshAction: "/sessions/s1/refresh", signOutURL: "/sessions/s1/sign-out",
            comparison: .mock(user: user), family: .mock, tokenCards: [.mock()],
            compareURL: "/sessions/s1/compare?from=1", storage: .mock(),
            calls: Calls(
                trafficURL: "/traffic", trafficText: "All 14",
                exchanges: [.mock()]),
            status: Status(
                statusTitle: "Still accepted", remaining: .mock(size: "big"),
                statusText: "Requests are accepted until then.", unexpiredTokens: .mock,
                details: [.init(label: "user", value: "u", fullValue: "u", isCode: true)],
                history: [
                    HistoryEntryModel(
                        id: "h1", Date(timeIntervalSince1970: 1_795_271_646), "Signed in",
                        tone: "", exchange: nil)
                ]))
    }
}

extension ListModel where Row == ExchangeRowModel {
    static func mock(path: String = "/auth/me") -> Self {
        Self(
            totalText: "1 request (max 5,000)",
            links: ["har": "/api/exchanges?format=har", "clear": "/traffic/clear"],
            liveEventKinds: "exchange.ended", filters: .mock(), segments: [],
            rows: [.mock(path: path), .mock(path: path, bracket: "last")],
            pager: PagerModel(range: "1–2 of 2"))
    }
}

extension ExchangeModel {
    static func mock(body: String? = "{}") -> ExchangeModel {
        ExchangeModel(
            methodAndPath: "GET /auth/me", chips: [ChipModel(text: "401 Unauthorized", tone: .bad)],
            links: [
                "newer": "/traffic/e3", "har": "/h", "resend": "/r", "curl": "/c", "raw": "/t",
            ], glyph: .mock,
            appName: "Mystica", device: "iPhone 15", fullURL: "http://127.0.0.1:7071/auth/me",
            at: "2026-11-21T14:34:50.118Z", time: "14:34:50.118", ago: "37 s ago", total: "3.10 ms",
            timingDescription: "3.10 ms total",
            phases: [
                Phase(
                    phase: "Waiting (TTFB)", duration: "2.85 ms", shade: "first", isDrawn: true,
                    x: "0",
                    share: "92"),
                Phase(phase: "TLS", duration: "Skipped (loopback)", shade: "none", isDrawn: false),
            ],
            request: Message(
                note: "1 header, no body",
                headers: [
                    Header(
                        headerName: "Authorization", headerValue: "Bearer eyJhbG…T1mw",
                        tokenCard: TokenCard(
                            tokenPrefix: "eyJhbG", tokenSuffix: "T1mw", tokenSize: "612 B",
                            verdicts: [ChipModel(text: "Expired", tone: .bad)],
                            decoded: DecodedToken(
                                tokenHeaders: [],
                                tokenClaims: [
                                    Claim(
                                        claimName: "exp", value: "1", fullValue: "1", isCode: true,
                                        meaning: "14:34:38", tone: "bad")
                                ])))
                ], tokens: []), responseTitle: "Response",
            response: Message(
                note: "1 header", headers: [Header(headerName: "Age", headerValue: "0")],
                body: body, tokens: []), curlNote: "masked", curl: "curl", attempts: [],
            details: [],
            followUpSteps: [
                Step(
                    kind: "bad", stepTitle: "GET /auth/me", isCall: true, status: "401",
                    statusTone: "bad", stepNote: "this one")
            ], eventChain: .mock)
    }
}
