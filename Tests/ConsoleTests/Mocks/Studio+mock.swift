import Templates

@testable import Console

extension TemplateModel {
    /// Mystica, signed in and on its map; with secrets masked unless `unmasked` is given.
    static func studio(base: String = "127.0.0.1:7071", unmasked: String? = nil) -> TemplateModel {
        let mail: TemplateModel = [
            "id": "m1", "href": "/mailbox/m1", "subject": "Verify", "to": "nora.lind@example.com",
            "usageChip": ChipModel(text: "Link used", tone: .ok, chipIcon: "check"),
            "sentText": "2 min ago", "sentAt": "2026-11-21T14:33:20Z",
        ]
        let tokens: TemplateModel = [
            "tokenCards": [token(unmasked: unmasked)],
            "refreshAction": "/sessions/s1/refresh", "sessionURL": "/sessions/s1",
        ]
        return [
            "appID": "mystica", "appName": "Mystica", "deviceID": "d1", "glow": "#8B4513",
            "appSwitch": [
                "switchID": "studio", "switchTitle": "Mystica", "switchGlyph": GlyphModel.mock,
                "apps": [
                    [
                        "id": "mystica", "name": "Mystica", "href": "/studio/mystica",
                        "glyph": GlyphModel.mock, "current": true,
                    ] as TemplateModel
                ],
            ] as TemplateModel,
            "links": [
                "backend": "/studio/mystica/backend", "editBackend": "/studio/mystica/backend",
                "proxy": "/studio/mystica/proxy", "expire": "/studio/mystica/expire",
                "relaunch": "/studio/mystica/relaunch", "kill": "/studio/mystica/kill",
                "killNext": "/studio/mystica/kill-next",
                "background": "/studio/mystica/background",
                "foreground": "/studio/mystica/foreground",
                "openLink": "/studio/mystica/link", "clearStorage": "/studio/mystica/clear",
                "device": "/studio/mystica/device", "timeline": "/studio/mystica/timeline",
                "traffic": "/traffic?app=mystica",
            ],
            "backends": [
                ChoiceModel(value: "embedded", label: "Embedded", chosen: true),
                ChoiceModel(value: "local", label: "Local", chosen: false),
            ], "backendName": "Embedded", "base": base, "fullBase": "http://" + base,
            "screenURL": "/apps/mystica/map", "phoneBase": "/apps/mystica/",
            "sizeID": "iphone15", "sizeName": "iPhone 15", "orientation": "portrait",
            "statusBar": "on-dark", "deviceDisplayKey": "debug none",
            "choices": [
                "size": [ChoiceModel(value: "iphone15", label: "iPhone 15", chosen: true)],
                "build": [ChoiceModel(value: "debug", label: "Debug", chosen: true)],
                "orientation": [ChoiceModel(value: "portrait", label: "Portrait", chosen: true)],
            ], "screenGraph": screenGraph, "tokens": tokens,
            "storage": storage(unmasked: unmasked),
            "exchanges": [ExchangeRowModel.mock()], "mails": [mail], "timeline": TimelineModel.mock,
        ]
    }
}

extension TemplateModel {
    private static var screenGraph: TemplateModel {
        let drawing = ScreenGraphModel.Drawing(
            width: 360, height: 166,
            nodes: [
                .init(
                    name: "map", kind: .current, x: 274, y: 24, w: 86, h: 28, centerX: 43,
                    visitCount: "2", visitCountX: 75, haloWidth: 94)
            ], edges: [.init(d: "M86 38H134", kind: "last", hasArrowhead: true)],
            labels: [.init(x: 107, y: 14, text: "relaunch", isLastTransition: true)])
        return [
            "currentScreen": "map", "sinceText": "on map for", "elapsedText": "37 s",
            "sinceAt": "2026-11-21T14:34:50Z", "wide": drawing, "compact": drawing,
            "screenDescriptions": [
                [
                    "name": "map", "kind": ScreenGraphModel.Kind.current, "visitCount": 2,
                    "description": "map, current, shown twice",
                ] as TemplateModel
            ],
        ]
    }
}

extension TimelineModel {
    static let mock = TimelineModel(
        width: 960, newestHighlight: ["x": 679, "width": 279, "rectWidth": 278],
        gaps: [Gap(x: 152, text: "39 s")],
        groups: [
            Group(
                isNewest: true, x: 687, title: "Relaunch", time: "14:34:50",
                at: "2026-11-21T14:34:50.000Z",
                causeLines: ["M693 48V55a6 6 0 0 0 6 6H745"],
                marks: [
                    Mark(
                        id: "t11", shape: .failed, x: 755, y: 61, label: "401",
                        href: "/traffic/e2", eventURL: "/events/11",
                        restoreURL: "/studio/mystica/restore?event=1", title: "GET /auth/me 401",
                        duration: "3.1 ms", timing: "Launch")
                ])
        ])
}
