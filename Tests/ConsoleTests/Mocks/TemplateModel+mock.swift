import Inspection
import Templates
import Web

@testable import Console
@testable import Templates

extension TemplateModel {
    /// The member `name`, if it is of this type.
    func member<Member>(_ name: String, _: Member.Type = Member.self) -> Member? {
        members.last { $0.name == name }?.value as? Member
    }
}

extension TemplateModel {
    static let home: TemplateModel = [
        "heading": "One app, one workspace", "appsNote": "1 manifest",
        "studioURL": "/studio/mystica", "sessionsText": "1 session",
        "walkthroughURL": "/walkthrough", "walkthroughText": "Start with Mystica",
        "apps": [
            [
                "id": "mystica", "name": "Mystica", "glyph": GlyphModel.mock,
                "coverBackground": "#2D1810", "sizeText": "6 screens, 17 states", "tone": "ok",
                "stateText": "On map",
                "links": ["studio": "/studio/mystica", "sessions": "/sessions?app=mystica"],
            ] as TemplateModel
        ],
    ]

    static func exchange(body: String? = "{}") -> TemplateModel {
        let claim: TemplateModel = [
            "claimName": "exp", "value": "1", "fullValue": "1", "isCode": true,
            "meaning": "14:34:38", "tone": "bad",
        ]
        let header: TemplateModel = [
            "headerName": "Authorization", "headerValue": "Bearer eyJhbG…T1mw",
            "tokenCard": [
                "tokenPrefix": "eyJhbG", "tokenSuffix": "T1mw", "tokenSize": "612 B",
                "verdicts": [ChipModel(text: "Expired", tone: .bad)],
                "decoded": ["tokenClaims": [claim]] as TemplateModel,
            ] as TemplateModel,
        ]
        let step: TemplateModel = [
            "kind": "bad", "stepTitle": "GET /auth/me", "isCall": true, "status": "401",
            "statusTone": "bad", "stepNote": "this one",
        ]
        return [
            "methodAndPath": "GET /auth/me",
            "chips": [ChipModel(text: "401 Unauthorized", tone: .bad)],
            "links": [
                "newer": "/traffic/e3", "har": "/h", "resend": "/r", "curl": "/c", "raw": "/t",
            ], "glyph": GlyphModel.mock, "appName": "Mystica", "device": "iPhone 15",
            "fullURL": "http://127.0.0.1:7071/auth/me", "at": "2026-11-21T14:34:50.118Z",
            "time": "14:34:50.118", "ago": "37 s ago", "total": "3.10 ms",
            "timingDescription": "3.10 ms total",
            "phases": [
                [
                    "phase": "Waiting (TTFB)", "duration": "2.85 ms", "shade": "first",
                    "isDrawn": true, "x": "0", "share": "92",
                ],
                [
                    "phase": "TLS", "duration": "Skipped (loopback)", "shade": "none",
                    "isDrawn": false,
                ],
            ] as [TemplateModel],
            "request": ["note": "1 header, no body", "headers": [header]] as TemplateModel,
            "responseTitle": "Response",
            "response": ["note": "1 header", "headers": [header], "body": body] as TemplateModel,
            "curlNote": "masked", "curl": "curl", "steps": [step],
            "eventChain": eventChain,
        ]
    }

    static let tokens: TemplateModel = [
        "error": "Paste a token first.",
        "result": [
            "diff": TokenDiff(
                before: (nil, ["exp": 1_795_271_727]), after: (nil, ["exp": 1_795_272_027])
            ).model(before: "First", after: "Second")
        ] as TemplateModel,
    ]

    static func storedItem(value: String = "usr_1") -> TemplateModel {
        [
            "key": "mystica_user_id", "area": "keychain", "size": "14 B", "saveAction": "/s",
            "deleteAction": "/d", "backURL": "/studio/mystica", "value": value, "error": "At most",
        ]
    }

    static let backendSettings: TemplateModel = [
        "backendName": "Local", "saveAction": "/s", "backURL": "/studio/mystica",
        "fields": [
            [
                "fieldName": "base", "label": "Base URL", "type": "url",
                "value": "http://localhost:3000", "placeholder": "https://…",
                "error": "Write https",
            ]
        ],
    ]

    // MARK: Errors

    static func problem(detail: String = "It is not stored.") -> TemplateModel {
        [
            "frame": frame(at: "none"), "pageTitle": "Not found", "kind": "404 Not found",
            "title": "Unknown request", "detail": detail, "fixLabel": "Traffic", "fixURL": "/",
            "fixReason": "There.", "outcomeText": "Everything else works.", "backURL": "/traffic",
            "backName": "traffic", "homeURL": "/",
        ]
    }

    static let keyEntry: TemplateModel = [
        "pageTitle": "Unauthorized", "title": "Enter your key",
        "detail": "Open the printed address.", "exampleURL": "http://127.0.0.1:7070/?key=…",
    ]

    static func manifestError(wrong: String = "'verifiy'") -> TemplateModel {
        let line: TemplateModel = [
            "number": 52, "isMarked": true, "before": "go: ", "highlighted": wrong, "after": " }",
        ]
        let issue: TemplateModel = [
            "codingPath": "calls.login", "detail": "Unknown screen verifiy.",
            "file": "templates/apps/mystica/app.json5", "position": "line 52",
            "sourceLines": [line], "fix": "Did you mean verify?",
        ]
        return [
            "glyph": GlyphModel.mock, "appName": "Mystica", "reloadURL": "/studio/mystica",
            "kind": "Manifest error", "file": "templates/apps/mystica/app.json5",
            "issues": [issue], "unaffectedText": "The other app runs.",
        ]
    }
}
