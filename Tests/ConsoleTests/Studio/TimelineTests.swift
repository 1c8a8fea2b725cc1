import Core
import FoundationEssentials
import Testing

@testable import Console

/// Grouping and labels of events on the timeline.
@Suite(.timeLimit(.minutes(10))) struct TimelineTests {
    private func event(
        _ id: Int64, _ kind: Event.Kind, at seconds: Double, cause: Int64? = nil,
        subject: String? = nil, details: [String: String] = [:]
    ) -> Event {
        Event(
            id: id, at: Date(timeIntervalSince1970: 1_000 + seconds), workspace: "main", kind: kind,
            app: "mystica", device: "dev_1", cause: cause, subject: subject, title: "title",
            details: details)
    }

    /// The mail with a code and the sign-in that uses it, in the order they are published: the
    /// backend's event comes before the exchange's.
    private var codeUsed: [Event] {
        [
            event(1, .actionSubmitted, at: 0, details: ["label": "Get Code"]),
            event(2, .mailReceived, at: 0.1, subject: "m", details: ["request": "r1"]),
            event(
                3, .exchangeEnded, at: 0.2, cause: 1, subject: "exc_1",
                details: ["status": "200", "request": "r1"]),
            event(4, .actionSubmitted, at: 20, details: ["label": "Login"]),
            event(5, .mailUsed, at: 20.1, subject: "m", details: ["request": "r2"]),
            event(
                6, .exchangeEnded, at: 20.2, cause: 4, subject: "exc_2",
                details: ["status": "200", "request": "r2"]),
            event(7, .screenShown, at: 20.3, cause: 6, subject: "wall"),
        ]
    }

    private func model(_ events: [Event]) -> TimelineModel {
        TimelineModel(
            TimelineGroup.groups(of: events, base: "http://127.0.0.1:7071/main/mystica"),
            links: StudioLinks(app: "mystica"))
    }

    @Test func `the first start is a launch and later ones are relaunches`() {
        let timeline = model([
            event(1, .appLaunched, at: 0),
            event(2, .screenShown, at: 0, cause: 1, subject: "login"),
            event(3, .appLaunched, at: 9),
            event(4, .screenShown, at: 9, cause: 3, subject: "login"),
        ])
        #expect(timeline.groups.map(\.title) == ["Launch", "Relaunch"])
        #expect(timeline.gaps.map(\.text) == ["9 s"])
    }

    @Test func `without its oldest events, a timeline begins with a complete group`() {
        let events = [
            event(2, .screenShown, at: 0, cause: 1, subject: "login"),
            event(3, .appLaunched, at: 9),
            event(4, .screenShown, at: 9, cause: 3, subject: "login"),
        ]
        let groups = TimelineGroup.groups(of: events, base: "", isComplete: false)
        #expect(groups.map(\.title) == ["Relaunch"])
    }

    @Test func `a mail follows the call that sent it`() {
        let timeline = model([
            event(1, .actionSubmitted, at: 0, details: ["label": "Register"]),
            event(2, .mailReceived, at: 0.1, subject: "mail_1"),
            event(
                3, .exchangeEnded, at: 0.2, cause: 1, subject: "exc_1",
                details: ["status": "200", "cause": "submit"]),
            event(4, .screenShown, at: 0.2, cause: 3, subject: "verify"),
        ])
        #expect(timeline.groups.map(\.title) == ["Register"])
        #expect(timeline.groups.first?.marks.map(\.label) == ["200", "mail", "verify"])
        #expect(timeline.groups.first?.causeLines.count == 2)
        #expect(timeline.groups.first?.marks.last?.shape == .current)
    }

    @Test func `a pause of less than a second is not a gap`() {
        let timeline = model([
            event(1, .appLaunched, at: 0),
            event(2, .screenShown, at: 0, cause: 1, subject: "login"),
            event(3, .actionSubmitted, at: 0.4, details: ["label": "Login"]),
            event(4, .screenShown, at: 0.5, cause: 3, subject: "map"),
        ])
        #expect(timeline.groups.count == 2)
        #expect(timeline.gaps.isEmpty)
    }

    @Test func `deletions are counted in one mark`() {
        let timeline = model([
            event(1, .actionSubmitted, at: 0, details: ["label": "Logout"]),
            event(2, .storageDeleted, at: 0, cause: 1, subject: "a"),
            event(3, .storageDeleted, at: 0, cause: 1, subject: "b"),
        ])
        #expect(timeline.groups.first?.marks.map(\.label) == ["2 deleted"])
    }

    @Test func `expiring a token is one mark without its storage write`() {
        let timeline = model([
            event(1, .storageWritten, at: 0, subject: "mystica_access_token"),
            event(2, .sessionChanged, at: 0, details: ["kind": "expiredManually"]),
        ])
        #expect(timeline.groups.map(\.title) == ["Fault"])
        #expect(timeline.groups.first?.marks.map(\.label) == ["expired"])
    }

    @Test func `a rejected call is named as the cause of the next one`() {
        let path = "/main/mystica/auth/"
        let timeline = model([
            event(1, .appLaunched, at: 0),
            event(2, .screenShown, at: 0, cause: 1, subject: "splash"),
            event(
                3, .exchangeEnded, at: 0.1, cause: 1, subject: "exc_1",
                details: ["status": "401", "method": "GET", "path": path + "me"]),
            event(
                4, .exchangeEnded, at: 0.2, cause: 3, subject: "exc_2",
                details: [
                    "status": "200", "method": "POST", "cause": "refresh", "path": path + "refresh",
                ]),
        ])
        let last = timeline.groups.first?.marks.last
        #expect(last?.title == "POST /auth/refresh 200")
        #expect(last?.causeAndEffect == "Triggered by GET /auth/me (failed).")
    }

    @Test func `a restore is a separate group`() {
        let timeline = model([
            event(1, .appLaunched, at: 0),
            event(2, .screenShown, at: 0, cause: 1, subject: "map"),
            event(3, .appLaunched, at: 9),
            event(4, .screenShown, at: 9, cause: 3, subject: "login"),
            event(5, .stateRestored, at: 20, cause: 2, subject: "2"),
            event(6, .storageWritten, at: 20, cause: 5, subject: "token"),
            event(7, .screenShown, at: 20, cause: 5, subject: "map"),
            event(
                8, .exchangeEnded, at: 22, cause: 7, subject: "exc_1",
                details: ["status": "200", "cause": "load"]),
        ])
        #expect(timeline.groups.map(\.title) == ["Launch", "Relaunch", "Restore"])
        #expect(timeline.groups.first?.marks.map(\.label) == ["map"])
        #expect(timeline.groups.last?.marks.map(\.label) == ["restored", "1", "map", "200"])
        #expect(timeline.groups.last?.isNewest == true)
    }

    @Test func `only the last shown screen is marked as current`() {
        let timeline = model([
            event(1, .appLaunched, at: 0),
            event(2, .screenShown, at: 0, cause: 1, subject: "map"),
            event(3, .appLaunched, at: 9),
            event(4, .screenShown, at: 9, cause: 3, subject: "login"),
            event(5, .faultChanged, at: 30, details: ["change": "added"]),
        ])
        let current = timeline.groups.flatMap(\.marks).filter { $0.shape == .current }
        #expect(current.map(\.label) == ["login"])
    }

    @Test func `the use of a code belongs to the call that submitted it`() {
        let timeline = model(codeUsed)
        #expect(timeline.groups.map(\.title) == ["Get Code", "Login"])
        #expect(timeline.groups.last?.marks.map(\.label) == ["200", "opened", "wall"])
        #expect(timeline.groups.last?.causeLines.count == 2)
    }

    @Test func `a link opened in a browser is a separate group`() {
        var events = Array(codeUsed.prefix(3))
        events.append(event(4, .mailUsed, at: 20, subject: "m"))
        let timeline = model(events)
        #expect(timeline.groups.map(\.title) == ["Get Code", "Mail"])
        #expect(timeline.groups.last?.marks.map(\.label) == ["opened"])
    }
}
