import Core
import FoundationEssentials
import Simulator
import Support
import Testing
import Web

@testable import Console

@Suite(.timeLimit(.minutes(10))) struct TrafficPagesTests {
    @Test func `an empty list explains what will appear`() async throws {
        let fixture = try await FoyerFixture()
        let page = await fixture.page("/traffic")
        #expect(page.status == 200)
        #expect(page.text.contains("No traffic yet"))
        #expect(!page.text.contains("traffic.clear"))
    }

    @Test func `exchanges are filtered by app, call, cause and text`() async throws {
        let fixture = try await FoyerFixture()
        _ = try await fixture.registered()
        let other = await fixture.device()
        _ = try await fixture.simulator.launch(
            AppInstance(workspace: "main", device: other, app: "mystica-instant"))
        let all = await fixture.page("/traffic").text
        #expect(all.contains("/auth/register-device"))
        for query in ["app=mystica", "call=register", "cause=submit"] {
            let page = await fixture.page("/traffic?" + query)
            #expect(page.text.contains("/auth/register"), "\(query)")
            #expect(!page.text.contains("/auth/register-device"), "\(query)")
        }
        let found = await fixture.page("/traffic?q=register")
        #expect(found.text.contains("/auth/register-device"))
        for query in ["app=bob", "status=failed", "q=nowhere"] {
            let page = await fixture.page("/traffic?" + query)
            #expect(page.text.contains("No matches"), "\(query)")
        }
    }

    @Test(arguments: ["%2A%2A%2A", "%22", "%40", "%20-%20"])
    func `a search without letters and digits finds nothing and explains why`(search: String)
        async throws
    {
        let fixture = try await FoyerFixture()
        _ = try await fixture.registered()
        for list in ["traffic", "sessions"] {
            let page = await fixture.page("/\(list)?q=\(search)")
            #expect(page.text.contains("needs a letter or a digit"), "\(list)")
        }
        for list in ["exchanges", "sessions"] {
            let found = await fixture.ask(.get, "/api/\(list)?q=\(search)")
            #expect(found.json["total"] == 0, "\(list)")
            let all = await fixture.ask(.get, "/api/\(list)?q=%20")
            #expect(all.json["total"] != 0, "\(list)")
        }
    }

    @Test func `older pages are selected by position and filtered by time`() async throws {
        let fixture = try await FoyerFixture()
        _ = try await fixture.registered()
        for query in [
            "before=9&from=51", "since=2026-11-20T00:00:00Z&from=51",
            "until=2126-01-01T00:00:00.000Z", "token=yes",
        ] {
            let page = await fixture.page("/traffic?" + query)
            #expect(page.status == 200, "\(query)")
            #expect(page.text.contains("/auth/register"), "\(query)")
        }
        for query in ["since=yesterday", "token=maybe", "condition=any"] {
            #expect(await fixture.page("/traffic?" + query).status == 400, "\(query)")
        }
    }

    @Test func `the page explains that a search matches the beginnings of words`() async throws {
        let fixture = try await FoyerFixture()
        _ = try await fixture.registered()
        let found = await fixture.page("/traffic?q=regis")
        #expect(found.text.contains("/auth/register"))
        #expect(found.text.contains("by word prefix"))
        let none = await fixture.page("/traffic?q=egister")
        #expect(!none.text.contains("/auth/register"))
        #expect(none.text.contains("A search matches word prefixes"))
    }

    @Test func `the list shows the size of a small response in bytes`() async throws {
        let fixture = try await FoyerFixture()
        _ = try await fixture.registered()
        let page = await fixture.page("/traffic")
        let size = try #require(page.text.components(separatedBy: "cell-size end dim\">").last)
        let text = size.prefix { $0 != "<" }
        #expect(text.hasSuffix(" B") && !text.contains("."), "\(text)")
    }

    @Test func `a wrong password is explained on the page of its exchange`() async throws {
        let fixture = try await FoyerFixture()
        _ = try await fixture.registered()
        let other = await fixture.device()
        await fixture.submitSuccessfully(
            "/apps/mystica/login/submit",
            [("email", "nora@example.com"), ("password", "wrong horse")], device: other)
        let id = try await fixture.exchange("call=login")
        let detail = await fixture.ask(.get, "/api/exchanges/\(id)")
        guard case .array(let checks)? = detail.json["checks"] else {
            Issue.record("there are no checks")
            return
        }
        let failed = checks.filter { $0["state"] == "failed" }
        #expect(failed.map { $0["name"]?.string } == ["password"])
        #expect(failed.first?["evidence"] == "wrong password")
        let page = await fixture.page("/traffic/\(id)")
        #expect(page.text.contains("Why was this rejected?"))
        #expect(page.text.contains("Password rejected"))
        #expect(!page.text.contains("wrong horse"))
    }

    @Test func `a response that a fault substituted is not explained by checks`() async throws {
        let fixture = try await FoyerFixture()
        _ = try await fixture.registered()
        await fixture.succeed(
            .post, "/api/faults",
            json: ["kind": "status", "status": 403, "phase": "after", "call": "login", "times": 1])
        let other = await fixture.device()
        await fixture.submitSuccessfully(
            "/apps/mystica/login/submit",
            [("email", "nora@example.com"), ("password", "wrong horse")], device: other)
        let id = try await fixture.exchange("call=login")
        let page = await fixture.page("/traffic/\(id)")
        #expect(page.text.contains("The backend responded with 400."))
        #expect(!page.text.contains("Password rejected"))
    }

    @Test(arguments: [
        ("since=2026-11-20T00:00:00Z&span=5", "5 minutes"),
        ("since=2026-11-20T00:00:00Z&span=1440", "Last day"), ("since=2026-11-20T00:00:00Z", nil),
    ]) func `the selected time span is the one shown`(query: String, expected: String?) async throws
    {
        let parameters = Dictionary(
            uniqueKeysWithValues: query.split(separator: "&").map { item in
                let parts = item.split(separator: "=")
                return (String(parts[0]), String(parts[1]))
            })
        let selected = MoreFilters.selected(parameters)
        let name = MoreFilters.choices.first { $0.id == selected }?.name
        #expect((name == nil) == (expected == nil))
        if let expected { #expect(name?.contains(expected) == true) }
        let fixture = try await FoyerFixture()
        #expect(await fixture.page("/traffic?" + query).status == 200)
    }

    @Test(arguments: ["total", "segments", "rows"])
    func `a part of the list can be requested alone`(
        part: String
    ) async throws {
        let fixture = try await FoyerFixture()
        _ = try await fixture.registered()
        let page = await fixture.page("/traffic")
        let alone = await fixture.page("/traffic?part=\(part)")
        #expect(alone.status == 200 && !alone.text.isEmpty)
        #expect(page.text.contains(alone.text))
    }

    @Test func `an exchange's page decodes its token and never shows it unmasked`() async throws {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        let id = try await fixture.exchange("call=me")
        let page = await fixture.page("/traffic/\(id)")
        #expect(page.status == 200)
        #expect(page.text.contains("Valid signature"))
        #expect(page.text.contains("email_verified"))
        #expect(page.text.contains("Masked here, unmasked when copied"))
        #expect(!(await fixture.leaks(page.text, device: device)))
        let events = fixture.hub.events(in: "main")
        let revealCount = events.count { $0.kind == .storageRevealed }
        let command = await fixture.page("/traffic/\(id)/curl")
        #expect(await fixture.leaks(command.text, device: device))
        // Two reveals are by this test's own leak check, the third is by the copied command.
        let copied = fixture.hub.events(in: "main").filter {
            $0.kind == .storageRevealed && $0.subject == nil
        }
        #expect(revealCount == 2 && copied.count == 1)
    }

    @Test func `no page, archive or cURL command contains a password`() async throws {
        let fixture = try await FoyerFixture()
        _ = try await fixture.registered()
        let id = try await fixture.exchange("call=register")
        for address in ["/traffic/\(id)", "/traffic/\(id)/curl", "/traffic/har"] {
            let response = await fixture.page(address)
            #expect(response.status == 200)
            #expect(response.text.contains("‹password›"), "\(address)")
            #expect(!response.text.contains("correct horse"), "\(address)")
        }
    }

    @Test func `a downloaded archive is masked`() async throws {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        let archive = await fixture.page("/traffic/har?call=me")
        #expect(
            archive.headers["Content-Disposition"] == "attachment; filename=\"foyer-traffic.har\"")
        let json = try JSON(parsing: archive.text)
        #expect(json["log"]?["entries"]?[0]?["request"]?["method"] == "GET")
        #expect(!(await fixture.leaks(archive.text, device: device)))
    }

    @Test func `a rejected call shows its refresh, retry and outcome`() async throws {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        await fixture.submitSuccessfully("/studio/mystica/expire", [], device: device)
        await fixture.succeed(.post, "/api/devices/\(device)/apps/mystica/relaunch")
        let id = try await fixture.exchange("status=401")
        let page = await fixture.page("/traffic/\(id)")
        #expect(page.text.contains("401 Unauthorized"))
        #expect(page.text.contains("before this request"))
        #expect(page.text.contains("/auth/refresh"))
        #expect(page.text.contains("map shown"))
        #expect(page.text.contains("Invisible to the user"))
        let list = await fixture.page("/traffic?part=rows")
        for position in ["first", "middle", "last"] {
            #expect(list.text.contains("bracket-\(position)"))
        }
    }

    @Test func `clearing traffic asks for confirmation and publishes an event`() async throws {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        let confirmation = await fixture.page("/traffic/clear")
        #expect(confirmation.text.contains("requests?"))
        let cleared = await fixture.submit("/traffic/clear", [], device: device)
        #expect(cleared.status == 303 && cleared.location == "/traffic")
        #expect(await fixture.page("/traffic").text.contains("No traffic yet"))
        #expect(fixture.hub.events(in: "main").last?.kind == .exchangesCleared)
    }

    @Test(arguments: [
        ("/traffic", "status"), ("/traffic/har", "cause"), ("/traffic", "span"),
        ("/sessions", "state"), ("/accounts", "state"),
    ])
    func `an unknown and an invalid parameter are reported together`(path: String, name: String)
        async throws
    {
        let fixture = try await FoyerFixture()
        let page = await fixture.page("\(path)?other=1&\(name)=none")
        #expect(page.status == 400)
        #expect(page.text.contains("other is unknown"))
        #expect(page.text.contains("\(name) can be") || page.text.contains("\(name) must be"))
    }

    @Test(arguments: [
        ("/traffic/exc_none", 404), ("/traffic/exc_none/curl", 404),
        ("/traffic?cause=none", 400), ("/traffic?session=none", 404),
        ("/traffic?before=1&after=2", 400), ("/traffic?span=7", 400),
    ])
    func `a missing exchange or an invalid query gets an error page`(
        target: String, status: Int
    ) async throws {
        let fixture = try await FoyerFixture()
        let page = await fixture.page(target)
        #expect(page.status == status)
        #expect(page.text.contains("<h1"))
    }
}
