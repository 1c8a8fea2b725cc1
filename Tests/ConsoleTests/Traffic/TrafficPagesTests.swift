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
        let page = await fixture.page("/sessions?q=\(search)")
        #expect(page.text.contains("needs a letter or a digit"))
        let found = await fixture.ask(.get, "/api/sessions?q=\(search)")
        #expect(found.json["total"] == 0)
        let all = await fixture.ask(.get, "/api/sessions?q=%20")
        #expect(all.json["total"] != 0)
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

    @Test func `the page and the API understand the same search`() async throws {
        let fixture = try await FoyerFixture()
        _ = try await fixture.registered()
        for search in ["egister", "path:/register+method:POST+-status:4xx", "call:register"] {
            let page = await fixture.page("/traffic?q=\(search)")
            #expect(page.text.contains("/auth/register"), "\(search)")
            let list = await fixture.ask(.get, "/api/exchanges?q=\(search)")
            #expect(list.json["total"] == 1, "\(search)")
        }
        for filter in ["method=POST&path=/register", "host=127.0.0.1&method=post&call=register"] {
            let list = await fixture.ask(.get, "/api/exchanges?\(filter)")
            #expect(list.json["total"] == 1, "\(filter)")
        }
    }

    @Test func `an invalid search names the valid filters and stays in its field`() async throws {
        let fixture = try await FoyerFixture()
        _ = try await fixture.registered()
        let page = await fixture.page("/traffic?q=stat%3A401+hello&app=mystica")
        #expect(page.status == 400)
        #expect(page.text.contains("value=\"stat:401 hello\""))
        #expect(page.text.contains("Valid filters: app:, call:, cause:"))
        #expect(page.text.contains("Invalid search") && !page.text.contains("traffic.row"))
        for path in ["/api/exchanges", "/traffic/har"] {
            #expect(await fixture.page("\(path)?q=stat%3A401").status == 400, "\(path)")
        }
        let answer = await fixture.ask(.get, "/api/exchanges?q=status:999")
        #expect(answer.status == 400)
        #expect(answer.json.description.contains("status: must be 401, 4xx"))
    }

    @Test func `a press on a column's head sorts the list by it, a second one reverses it`()
        async throws
    {
        let fixture = try await FoyerFixture()
        _ = try await fixture.registered()
        let list = await fixture.page("/traffic?app=mystica").text
        #expect(list.contains("href=\"/traffic?app=mystica&amp;sort=-duration\""))
        let sorted = await fixture.page("/traffic?app=mystica&sort=-duration").text
        #expect(sorted.contains("aria-sort=\"descending\""))
        #expect(sorted.contains("href=\"/traffic?app=mystica&amp;sort=duration\""))
        #expect(sorted.contains("href=\"/traffic?app=mystica\""))
        let page = await fixture.ask(.get, "/api/exchanges?sort=path&limit=1")
        let next = try #require(page.json["next"]?.string)
        #expect(next.contains(",/main/mystica/"))
        let second = await fixture.ask(
            .get, "/api/exchanges?sort=path&limit=1&after=\(PercentEncoding.encode(next))")
        #expect(second.json["items"]?[0]?["id"] != page.json["items"]?[0]?["id"])
        #expect(await fixture.page("/traffic?sort=color").status == 400)
    }

    @Test func `one request, selected ones and those that match filters are deleted`() async throws
    {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        let id = try await fixture.exchange("call=register")
        let one = await fixture.submit("/traffic/\(id)/delete", [], device: device)
        #expect(one.status == 303)
        let missing = await fixture.page("/traffic/\(id)")
        #expect(missing.status == 404 && missing.text.contains("1 request deleted at"))
        let me = try await fixture.exchange("call=me")
        let question = await fixture.page("/traffic/delete?pick=\(me)")
        #expect(question.text.contains("Delete 1 request?"))
        _ = await fixture.submit("/traffic/delete?pick=\(me)", [], device: device)
        #expect(await fixture.ask(.get, "/api/exchanges/\(me)").status == 404)
        await fixture.succeed(.post, "/api/devices/\(device)/apps/mystica/relaunch")
        await fixture.succeed(.post, "/api/devices/\(device)/apps/mystica/relaunch")
        let matches = await fixture.page("/traffic/clear?q=path:/auth/me")
        #expect(matches.text.contains("Requests that do not match the filters stay."))
        await fixture.succeed(.delete, "/api/exchanges?q=path:/auth/me")
        #expect(await fixture.ask(.get, "/api/exchanges?call=me").json["total"] == 0)
        #expect(await fixture.page("/traffic/delete").status == 400)
    }

    @Test func `paused recording is shown with a way to resume it`() async throws {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        _ = await fixture.submit("/traffic/recording", [("act", "pause")], device: device)
        #expect(await fixture.page("/traffic").text.contains("traffic.resume"))
        let before = await fixture.ask(.get, "/api/exchanges").json["total"]
        await fixture.succeed(.post, "/api/devices/\(device)/apps/mystica/relaunch")
        #expect(await fixture.ask(.get, "/api/exchanges").json["total"] == before)
        let sent = try #require(fixture.hub.events(in: "main").last { $0.kind == .exchangeEnded })
        let page = await fixture.page("/traffic/\(sent.subject ?? "")")
        #expect(page.status == 404 && page.text.contains("This request was not recorded"))
        let resumed = await fixture.ask(
            .patch, "/api/exchanges/recording", json: ["paused": false])
        #expect(resumed.json["paused"] == false)
        #expect(fixture.hub.events(in: "main").last?.kind == .recordingChanged)
        #expect(!(await fixture.page("/traffic").text.contains("traffic.resume")))
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
        #expect(
            failed.first?["evidence"] == "wrong password, 1st of 5 failed logins in 15 min")
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
        ("rule=applied", "Matched by a rule"), ("fault=applied", "Affected by a fault"),
    ]) func `the selected filter is the one shown`(query: String, expected: String?) async throws {
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
