import Templates

@testable import Console

extension TemplateModel {
    static func mailbox(subject: String = "Verify your email") -> TemplateModel {
        [
            "totalText": "1 message", "clearURL": "/mailbox/clear", "hasSelection": true,
            "mails": [
                [
                    "id": "m1", "href": "/mailbox/m1", "glyph": GlyphModel.mock,
                    "subject": subject, "to": "nora.lind@example.com",
                    "sentAt": "2026-11-21T14:33:20Z", "sentAge": "2 min",
                    "usageText": "Link used", "current": true, "isUnread": true,
                ] as TemplateModel
            ],
            "mail": [
                "glyph": GlyphModel.mock, "appName": "Mystica", "purpose": "Verify",
                "subject": subject, "to": "nora.lind@example.com",
                "sentAt": "2026-11-21T14:33:20Z", "sentTime": "14:33:20",
                "sentAgo": "2 min ago", "linkURL": "http://127.0.0.1:7071/verify?token=a&b=c",
                "remaining": CountdownModel.mock(size: "mid"),
                "views": [
                    LinkModel(id: "message", name: "Message", href: "?view=message", current: true)
                ], "htmlURL": "/mailbox/m1/html", "testCall": "GET /api/mailbox/wait",
                "testResponse": "{}", "sendingExchange": ExchangeRowModel.mock(),
                "eventChain": eventChain,
            ] as TemplateModel,
        ]
    }

    static let emptyMailbox: TemplateModel = [
        "totalText": "0 messages", "hasSelection": false, "empty": emptyList,
    ]
}

extension TemplateModel {
    static let confirmation: TemplateModel = [
        "confirmation": ConfirmModel(
            action: "/traffic/clear", question: "Delete 128 requests?",
            consequence: "Sessions stay.", confirmLabel: "Delete 128 requests",
            backURL: "/traffic")
    ]
}
