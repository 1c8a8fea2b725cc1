import Core
import FoundationEssentials
import Templates

@testable import Console

extension TemplateModel {
    static func frame(at navID: String = "home", part: String = "/?part=") -> TemplateModel {
        let items: [(String, String, String, String)] = [
            ("home", "Home", "/", "home"), ("studio", "Studio", "/studio/mystica", "phone"),
            ("sessions", "Sessions", "/sessions", "key"),
            ("traffic", "Traffic", "/traffic", "swap"), ("mailbox", "Mailbox", "/mailbox", "mail"),
        ]
        let navItems = items.map { id, name, href, icon -> TemplateModel in
            [
                "navID": id, "name": name, "href": href, "icon": icon, "current": id == navID,
                "startsGroup": id == "sessions", "isTab": id != "home",
                "navCount": id == "traffic" ? "128" : nil,
            ]
        }
        return [
            "pageTitle": "A page",
            "clock": Clock().model(at: Date(timeIntervalSince1970: 1_795_271_727)),
            "systemNow": "2026-11-21T14:35:27.000Z", "csrf": "token-of-this-page", "returnURL": "/",
            "lastEventID": "812", "workspace": "main", "workspaceName": "main",
            "workspaceInitial": "m", "partURL": part, "navItems": navItems,
            "needsStudioScript": navID == "studio", "faultStatus": [:] as TemplateModel,
        ]
    }

    /// A token card, masked unless `unmasked` is given.
    static func token(unmasked: String? = nil) -> TemplateModel {
        [
            "testID": "studio.token.access", "domID": "token-access", "name": "Access token",
            "lowercaseName": "access token", "isExpiringSoon": false, "swapPart": "tokens",
            "verdict": ChipModel(
                text: "Valid signature · ES256 · key 3f2a", tone: .ok, chipIcon: "shield"),
            "expiry": ChipModel.expired, "countdown": CountdownModel.mock(),
            "generations": TokenCard.generations(used: 1, ended: false),
            "maskedValue": unmasked == nil
                ? ["masked": "eyJhbG…x9Qw", "revealURL": "?reveal=a", "copyURL": "/api/a"] : nil,
            "revealedValue": unmasked.map {
                [
                    "header": $0, "payload": ".p", "signature": ".s", "hideURL": "/studio/mystica",
                ]
            }, "claims": [["name": "sub", "claimID": "sub", "value": "usr_1"]],
        ]
    }

    /// One item, masked unless `unmasked` is given.
    static func storage(unmasked: String? = nil) -> TemplateModel {
        [
            "countText": "1 item, encrypted at rest",
            "items": [
                [
                    "key": "mystica_user_id", "area": "keychain", "areaIcon": "lock",
                    "captureName": "userID", "masked": "usr_8K…4hTz", "size": "14 B",
                    "writtenAgo": "37 s ago", "writtenAt": "2026-11-21T14:34:50Z",
                    "writtenURL": "/events/7",
                    "revealURL": unmasked == nil ? "?reveal=mystica_user_id" : nil,
                    "hideItemURL": unmasked == nil ? nil : "/studio/mystica", "unmasked": unmasked,
                    "editURL": "/studio/mystica/storage/a",
                ] as TemplateModel
            ],
        ]
    }

    static func filters(query: String = "") -> TemplateModel {
        [
            "filterID": "sessions", "action": "/sessions", "query": query,
            "searchLabel": "Search users", "placeholder": "user, device, claim",
            "hiddenFields": [["hiddenName": "state", "hiddenValue": "active"]],
            "menus": [
                ChoiceMenuModel(
                    menuID: "app", menuName: "App", chosenName: "All",
                    options: [.init(id: "all", name: "All", href: "/sessions", current: true)])
            ], "summary": "All",
        ]
    }
}

extension GlyphModel {
    static let mock = GlyphModel(letter: "M", background: "#2D1810", letterColor: "#99D2D7")
}

extension CountdownModel {
    static func mock(size: String? = nil) -> CountdownModel {
        CountdownModel(
            label: "Access token ends", testID: "token.left", expiresAt: "2026-11-21T14:39:50.000Z",
            lifetime: "300", percent: "88", remaining: "4:23", caption: "of 5:00 left",
            phase: .running,
            countdownSize: size)
    }
}

extension ExchangeRowModel {
    static func mock(path: String = "/auth/me", bracket: String = "first") -> ExchangeRowModel {
        ExchangeRowModel(
            id: "e2", href: "/traffic/e2", sentAt: "2026-11-21T14:34:50.118Z", time: "14:34:50.118",
            method: "GET", path: path, fullPath: "http://127.0.0.1:7071/main/mystica" + path,
            status: "401", statusTone: "bad", chips: [ChipModel(text: "launch", tone: .neutral)],
            duration: "3.1 ms", barLength: "9", failed: false, glyph: .mock, appName: "Mystica",
            size: "212 B", groupPosition: bracket)
    }
}

extension TemplateModel {
    static let emptyList = noItems(
        "No messages yet", "They appear here.", drawing: .mail, call: "GET /api/mailbox/wait",
        studioOf: "mystica")
}
