import FoundationEssentials
import Inspection
import Templates

@testable import Console

extension TemplateModel {
    static func sessions(user: String = "nora.lind@example.com") -> TemplateModel {
        [
            "totalText": "1 on 1 device", "liveEventKinds": "session.began",
            "filters": filters(query: user),
            "segments": [
                LinkModel(
                    id: "sessions.state.all", name: "All", count: "1", href: "/sessions",
                    current: true)
            ],
            "rows": [
                SessionRow(
                    id: "s1", href: "/sessions/s1", ended: false, tone: "ok", stateName: "Active",
                    user: user, glyph: .mock, appName: "Mystica", device: "iPhone 15",
                    backend: "embedded", signature: "Valid", signatureTone: "ok",
                    signatureIcon: "shield", expiresIn: "4:23", isExpiringSoon: false,
                    expiresAt: "2026-11-21T14:39:50Z", lifetime: "300", refreshCount: "1",
                    isOutOfSync: true, createdAt: "2026-11-21T14:34:06Z", createdAge: "1 min",
                    refreshedAge: "–"
                )
            ], "pager": PagerModel(range: "1–1 of 1", olderURL: "?after=s1"),
        ]
    }

    static func session(user: String = "nora.lind@example.com") -> TemplateModel {
        [
            "glyph": GlyphModel.mock, "user": user,
            "stateChip": ChipModel(text: "Active", tone: .ok),
            "locationText": "Mystica on iPhone 15", "probeAction": "/sessions/s1/probe",
            "refreshAction": "/sessions/s1/refresh", "signOutURL": "/sessions/s1/sign-out",
            "comparison": [
                "summaryText": "1 of 1 out of sync", "hasDiscrepancies": true, "deviceNote": "Now",
                "serverNote": "Checked just now", "rows": [ComparedField.mock(user: user).model],
            ] as TemplateModel, "family": family, "tokenCards": [token()],
            "compareURL": "/sessions/s1/compare?from=1", "storage": storage(),
            "trafficURL": "/traffic", "trafficText": "All 14",
            "exchanges": [ExchangeRowModel.mock()], "statusTitle": "Still accepted",
            "statusText": "Requests are accepted until then.",
            "remaining": CountdownModel.mock(size: "big"), "unexpiredTokens": unexpiredTokens,
            "details": [DetailModel("user", "u", isCode: true)],
            "history": [
                [
                    "id": "h1", "at": "2026-11-21T14:34:06Z", "time": "14:34:06",
                    "text": "Signed in", "tone": "", "isTest": false,
                ] as TemplateModel
            ],
        ]
    }

    static func traffic(path: String = "/auth/me") -> TemplateModel {
        [
            "totalText": "1 request (max 5,000)",
            "links": ["har": "/api/exchanges?format=har", "clear": "/traffic/clear"],
            "liveEventKinds": "exchange.ended", "filters": filters(), "segments": [LinkModel](),
            "rows": [ExchangeRowModel.mock(path: path), .mock(path: path, bracket: "last")],
            "pager": PagerModel(range: "1–2 of 2"),
        ]
    }
}
