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
                    ChoiceLinkModel(id: "message", name: "Message", href: "?view=message", current: true)
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

extension StoredItemModel {
    static func mock(value: String = "usr_1") -> StoredItemModel {
        StoredItemModel(
            key: "mystica_user_id", area: "keychain", size: "14 B", saveAction: "/s",
            deleteAction: "/d", backURL: "/studio/mystica", value: value, error: "At most")
    }
}

extension BackendSettingsModel {
    static let mock = BackendSettingsModel(
        backendName: "Local", saveAction: "/s", backURL: "/studio/mystica",
        fields: [
            Field(
                fieldName: "base", label: "Base URL", type: "url",
                value: "http://localhost:3000", placeholder: "https://…", error: "Write https")
        ])
}

extension ProblemModel {
    static func mock(detail: String = "It is not stored.") -> ProblemModel {
        ProblemModel(
            frame: .mock(at: "none"), pageTitle: "Not found", kind: "404 Not found",
            title: "Unknown request", detail: detail,
            fix: Fix(label: "Traffic", fixURL: "/", reason: "There."),
            outcomeText: "Everything else works.", backURL: "/traffic", backName: "traffic",
            homeURL: "/")
    }
}

extension KeyEntryModel {
    static let mock = KeyEntryModel(
        pageTitle: "Unauthorized", title: "Enter your key",
        detail: "Open the printed address.", exampleURL: "http://127.0.0.1:7070/?key=…")
}

extension ManifestErrorModel {
    static func mock(wrong: String = "'verifiy'") -> ManifestErrorModel {
        ManifestErrorModel(
            glyph: .mock, appName: "Mystica",
            reloadURL: "/studio/mystica", kind: "Manifest error",
            file: "templates/apps/mystica/app.json5",
            issues: [
                Issue(
                    codingPath: "calls.login", detail: "Unknown screen verifiy.",
                    file: "templates/apps/mystica/app.json5", position: "line 52",
                    sourceLines: [
                        Line(
                            number: "52", isMarked: true, before: "go: ", highlighted: wrong,
                            after: " }")
                    ], fix: "Did you mean verify?")
            ], unaffectedText: "The other app runs.")
    }
}
