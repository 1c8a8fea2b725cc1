@testable import Console

private let token = "token-of-this-page"

extension MailboxModel {
    static func mock(subject: String = "Verify your email") -> MailboxModel {
        MailboxModel(
            totalText: "1 message", clearURL: "/mailbox/clear", hasSelection: true, query: "",
            noMatchesText: "",
            mails: [
                Row(
                    id: "m1", href: "/mailbox/m1", glyph: .mock, subject: subject,
                    to: "nora.lind@example.com", sentAt: "2026-11-21T14:33:20Z", sentAge: "2 min",
                    usageText: "Link used", usageTone: "", current: true, isUnread: true)
            ],
            mail: MailDetail(
                glyph: .mock, appName: "Mystica", purpose: "Verify", subject: subject,
                to: "nora.lind@example.com", sentAt: "2026-11-21T14:33:20Z", sentTime: "14:33:20",
                sentAgo: "2 min ago", digits: [],
                linkURL: "http://127.0.0.1:7071/verify?token=a&b=c", remaining: .mock(size: "mid"),
                views: [
                    LinkModel(id: "message", name: "Message", href: "?view=message", current: true)
                ],
                htmlURL: "/mailbox/m1/html", mailHeaders: [],
                testCall: "GET /api/mailbox/wait", testResponse: "{}", sendingExchange: .mock(),
                eventChain: .mock
            ))
    }

    static let mockEmpty = MailboxModel(
        totalText: "0 messages",
        hasSelection: false, query: "", noMatchesText: "", mails: [], empty: .mock)
}

extension ConfirmModel {
    static let mock = ConfirmModel(
        action: "/traffic/clear", question: "Delete 128 requests?",
        consequence: "Sessions stay.", confirmLabel: "Delete 128 requests",
        backURL: "/traffic")
}
