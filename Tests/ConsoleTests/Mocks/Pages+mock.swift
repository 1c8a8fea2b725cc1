import FoundationEssentials

@testable import Console

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
            trafficURL: "/traffic", trafficText: "All 14", exchanges: [.mock()],
            statusTitle: "Still accepted", statusText: "Requests are accepted until then.",
            remaining: .mock(size: "big"), unexpiredTokens: .mock,
            details: [.init("user", "u", isCode: true)],
            history: [
                HistoryEntryModel(
                    id: "h1", Date(timeIntervalSince1970: 1_795_271_646), "Signed in", tone: "",
                    exchange: nil)
            ])
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
