import Core
import FoundationEssentials
import Testing

@testable import Console

/// What the timeline draws of what happened.
@Suite(.timeLimit(.minutes(10))) struct TimelineTests {
    private func event(
        _ id: Int64, _ kind: Event.Kind, at seconds: Double, cause: Int64? = nil,
        subject: String? = nil, facts: [String: String] = [:]
    ) -> Event {
        Event(
            id: id, at: Date(timeIntervalSince1970: 1_000 + seconds), workspace: "main", kind: kind,
            app: "mystica", device: "dev_1", cause: cause, subject: subject, title: "title",
            details: facts)
    }

    /// A code's mail and the sign-in it is used for, as they are told: the
    /// backend is first.
    private var codeUsed: [Event] {
        [
            event(1, .actionSubmitted, at: 0, facts: ["label": "Get Code"]),
            event(2, .mailReceived, at: 0.1, subject: "m", facts: ["request": "r1"]),
            event(
                3, .exchangeEnded, at: 0.2, cause: 1, subject: "exc_1",
                facts: ["status": "200", "request": "r1"]),
            event(4, .actionSubmitted, at: 20, facts: ["label": "Login"]),
            event(5, .mailUsed, at: 20.1, subject: "m", facts: ["request": "r2"]),
            event(
                6, .exchangeEnded, at: 20.2, cause: 4, subject: "exc_2",
                facts: ["status": "200", "request": "r2"]),
            event(7, .screenShown, at: 20.3, cause: 6, subject: "wall"),
        ]
    }

    private func model(_ events: [Event]) -> TimelineModel {
        TimelineBuilder(events: events, app: "mystica", base: "http://127.0.0.1:7071/main/mystica")
            .build()
    }

    @Test func `the first start is a launch, a later one a relaunch`() {
        let drawn = model([
            event(1, .appLaunched, at: 0),
            event(2, .screenShown, at: 0, cause: 1, subject: "login"),
            event(3, .appLaunched, at: 9),
            event(4, .screenShown, at: 9, cause: 3, subject: "login"),
        ])
        #expect(drawn.groups.map(\.title) == ["Launch", "Relaunch"])
        #expect(drawn.gaps.map(\.text) == ["9 s"])
    }

    @Test func `a mail follows the call that sent it`() {
        let drawn = model([
            event(1, .actionSubmitted, at: 0, facts: ["label": "Register"]),
            event(2, .mailReceived, at: 0.1, subject: "mail_1"),
            event(
                3, .exchangeEnded, at: 0.2, cause: 1, subject: "exc_1",
                facts: ["status": "200", "cause": "submit"]),
            event(4, .screenShown, at: 0.2, cause: 3, subject: "verify"),
        ])
        #expect(drawn.groups.map(\.title) == ["Register"])
        #expect(drawn.groups.first?.marks.map(\.label) == ["200", "mail", "verify"])
        #expect(drawn.groups.first?.causeLines.count == 2)
        #expect(drawn.groups.first?.marks.last?.shape == .current)
    }

    @Test func `less than a second is no gap`() {
        let drawn = model([
            event(1, .appLaunched, at: 0),
            event(2, .screenShown, at: 0, cause: 1, subject: "login"),
            event(3, .actionSubmitted, at: 0.4, facts: ["label": "Login"]),
            event(4, .screenShown, at: 0.5, cause: 3, subject: "map"),
        ])
        #expect(drawn.groups.count == 2)
        #expect(drawn.gaps.isEmpty)
    }

    @Test func `deletions are counted and said`() {
        let drawn = model([
            event(1, .actionSubmitted, at: 0, facts: ["label": "Logout"]),
            event(2, .storageDeleted, at: 0, cause: 1, subject: "a"),
            event(3, .storageDeleted, at: 0, cause: 1, subject: "b"),
        ])
        #expect(drawn.groups.first?.marks.map(\.label) == ["2 deleted"])
    }

    @Test func `a token made to expire is one mark, not a write as well`() {
        let drawn = model([
            event(1, .storageWritten, at: 0, subject: "mystica_access_token"),
            event(2, .sessionChanged, at: 0, facts: ["kind": "expiredByHand"]),
        ])
        #expect(drawn.groups.map(\.title) == ["Condition"])
        #expect(drawn.groups.first?.marks.map(\.label) == ["expired"])
    }

    @Test func `a refusal is told as the cause of what followed`() {
        let path = "/main/mystica/auth/"
        let drawn = model([
            event(1, .appLaunched, at: 0),
            event(2, .screenShown, at: 0, cause: 1, subject: "splash"),
            event(
                3, .exchangeEnded, at: 0.1, cause: 1, subject: "exc_1",
                facts: ["status": "401", "method": "GET", "path": path + "me"]),
            event(
                4, .exchangeEnded, at: 0.2, cause: 3, subject: "exc_2",
                facts: [
                    "status": "200", "method": "POST", "cause": "refresh", "path": path + "refresh",
                ]),
        ])
        let last = drawn.groups.first?.marks.last
        #expect(last?.title == "POST /auth/refresh 200")
        #expect(last?.causeAndEffect == "Because GET /auth/me was refused.")
    }

    @Test func `what is put back is a burst of its own`() {
        let drawn = model([
            event(1, .appLaunched, at: 0),
            event(2, .screenShown, at: 0, cause: 1, subject: "map"),
            event(3, .appLaunched, at: 9),
            event(4, .screenShown, at: 9, cause: 3, subject: "login"),
            event(5, .stateRestored, at: 20, cause: 2, subject: "2"),
            event(6, .storageWritten, at: 20, cause: 5, subject: "token"),
            event(7, .screenShown, at: 20, cause: 5, subject: "map"),
            event(
                8, .exchangeEnded, at: 22, cause: 7, subject: "exc_1",
                facts: ["status": "200", "cause": "load"]),
        ])
        #expect(drawn.groups.map(\.title) == ["Launch", "Relaunch", "Restore"])
        #expect(drawn.groups.first?.marks.map(\.label) == ["map"])
        #expect(drawn.groups.last?.marks.map(\.label) == ["restored", "1", "map", "200"])
        #expect(drawn.groups.last?.isNewest == true)
    }

    @Test func `the current screen is where the phone is`() {
        let drawn = model([
            event(1, .appLaunched, at: 0),
            event(2, .screenShown, at: 0, cause: 1, subject: "map"),
            event(3, .appLaunched, at: 9),
            event(4, .screenShown, at: 9, cause: 3, subject: "login"),
            event(5, .faultChanged, at: 30, facts: ["change": "added"]),
        ])
        let current = drawn.groups.flatMap(\.marks).filter { $0.shape == .current }
        #expect(current.map(\.label) == ["login"])
    }

    @Test func `a code is used by the call that brought it`() {
        let drawn = model(codeUsed)
        #expect(drawn.groups.map(\.title) == ["Get Code", "Login"])
        #expect(drawn.groups.last?.marks.map(\.label) == ["200", "used", "wall"])
        #expect(drawn.groups.last?.causeLines.count == 2)
    }

    @Test func `a link followed in a browser is a burst of its own`() {
        var events = Array(codeUsed.prefix(3))
        events.append(event(4, .mailUsed, at: 20, subject: "m"))
        let drawn = model(events)
        #expect(drawn.groups.map(\.title) == ["Get Code", "Mail"])
        #expect(drawn.groups.last?.marks.map(\.label) == ["used"])
    }
}
