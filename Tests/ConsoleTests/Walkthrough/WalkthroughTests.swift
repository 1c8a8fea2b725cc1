import Simulator
import Support
import Testing
import Web

/// The sign-in flow of an app, step by step, on a separate device.
@Suite(.timeLimit(.minutes(10))) struct WalkthroughTests {
    private static let apps = [
        "bob": [
            "splash", "onboarding", "login", "forgot", "register", "projects", "settings", "unlock",
        ],
        "clarity": [
            "loading", "register", "verify", "login", "reset", "track", "insights", "secure",
            "dashboard", "settings", "edit",
        ],
        "mystica": ["splash", "register", "verify", "login", "map", "settings"],
        "mystica-instant": ["splash", "map", "settings"],
        "socoto": [
            "welcome", "signup", "signin", "forgot", "profile", "edit", "security", "discover",
        ],
        "wall": ["landing", "register", "login", "wall", "write"],
    ]

    @Test(arguments: apps) func `the next button reaches every step by real requests`(
        app: String, steps: [String]
    ) async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        let started = await fixture.page("/walkthrough/\(app)", device: device)
        #expect(started.status == 303)
        #expect(started.headers["Location"] == "/walkthrough/\(app)/\(steps[0])")
        _ = await fixture.goToStep(app, steps[0], device: device)
        for (step, next) in zip(steps, steps.dropFirst() + [""]) {
            let page = await fixture.page("/walkthrough/\(app)/\(step)", device: device)
            #expect(page.status == 200)
            #expect(WalkthroughPhone(page.text)?.screen == step, "\(app) \(step)")
            #expect(!page.text.contains("walkthrough.location"), "\(app) \(step)")
            guard !next.isEmpty else {
                #expect(page.text.contains("walkthrough.end"))
                break
            }
            let sent = await fixture.submit("/walkthrough/\(app)/\(step)/next", [], device: device)
            #expect(sent.status == 303)
            #expect(sent.location == "/walkthrough/\(app)/\(next)")
        }
    }

    @Test(arguments: apps) func `every step can be reached from any other`(
        app: String, steps: [String]
    ) async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        for step in steps.reversed() + steps.dropFirst() + [steps[0]] {
            let page = await fixture.goToStep(app, step, device: device)
            #expect(WalkthroughPhone(page.text)?.screen == step, "\(app) \(step)")
            #expect(!page.text.contains("walkthrough.location"), "\(app) \(step)")
        }
    }

    @Test(arguments: apps) func `the next button works after going back`(
        app: String, steps: [String]
    )
        async throws
    {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        for index in steps.indices.dropFirst().reversed() {
            let (before, step) = (steps[index - 1], steps[index])
            for target in [step, before] { _ = await fixture.goToStep(app, target, device: device) }
            let sent = await fixture.submit(
                "/walkthrough/\(app)/\(before)/next", [], device: device)
            #expect(sent.location == "/walkthrough/\(app)/\(step)")
            let page = await fixture.page("/walkthrough/\(app)/\(step)", device: device)
            #expect(WalkthroughPhone(page.text)?.screen == step, "\(app) \(step)")
            #expect(!page.text.contains("walkthrough.location"), "\(app) \(step)")
        }
    }

    @Test func `a device that is already at the step is left unchanged`() async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        let path = "/walkthrough/mystica/map"
        let one = await fixture.goToStep("mystica", "map", device: device)
        let two = await fixture.goToStep("mystica", "map", device: device)
        #expect(WalkthroughPhone(one.text) != nil)
        #expect(WalkthroughPhone(one.text) == WalkthroughPhone(two.text))
        let resumed = await fixture.page("/walkthrough/mystica", device: device)
        #expect(resumed.headers["Location"] == path)
    }

    @Test func `the user's own device and workspace are not affected`() async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        let page = await fixture.goToStep("mystica", "settings", device: device)
        let phone = try #require(WalkthroughPhone(page.text))
        #expect(phone.device != device)
        let totals = await fixture.ask(.get, "/api/exchanges").json
        #expect(totals["items"] == [])
        let own = await fixture.page("/apps/mystica/settings", device: device)
        #expect(own.status == 303)
    }

    @Test func `starting over uses another device in another workspace`() async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        let before = await fixture.goToStep("wall", "login", device: device)
        let over = await fixture.submit(
            "/walkthrough/wall/restart", [("sizes", "three")], device: device)
        #expect(over.location == "/walkthrough/wall/landing?sizes=three")
        let gone = await fixture.page(try #require(WalkthroughPhone(before.text)).path)
        #expect(gone.status == 404)
        #expect(gone.text.contains("Unknown device"))
        let after = await fixture.page("/walkthrough/wall/landing", device: device)
        #expect(WalkthroughPhone(after.text)?.device != WalkthroughPhone(before.text)?.device)
        #expect(after.text.contains("mira.holt@example.com"))
    }

    @Test func `after its lease has ended a walkthrough starts over`() async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        let path = "/walkthrough/wall/landing"
        let before = await fixture.goToStep("wall", "landing", device: device)
        for workspace in try await fixture.simulator.leasedWorkspaces() {
            await fixture.succeed(.delete, "/api/workspaces/\(workspace.id)")
        }
        let ended = await fixture.page(path, device: device)
        #expect(ended.status == 200)
        #expect(ended.text.contains("has not started"))
        let after = await fixture.goToStep("wall", "landing", device: device)
        #expect(after.status == 200)
        #expect(WalkthroughPhone(after.text) != nil)
        #expect(WalkthroughPhone(after.text)?.device != WalkthroughPhone(before.text)?.device)
    }

    @Test func `concurrent starts share one device`() async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        async let one = fixture.goToStep("wall", "landing", device: device)
        async let two = fixture.goToStep("wall", "landing", device: device)
        let phones = await [WalkthroughPhone(one.text), WalkthroughPhone(two.text)]
        #expect(phones[0] != nil)
        #expect(phones[0] == phones[1])
    }

    @Test(arguments: [
        ("/walkthrough/mystica/nowhere", 404, "Unknown step"),
        ("/walkthrough/nothing/splash", 404, "Unknown app"),
        ("/walkthrough/nothing", 404, "Unknown app"),
        ("/walkthrough/mystica/splash?sizes=nine", 400, "Invalid value"),
        ("/walkthrough/mystica/splash?size=one", 400, "is unknown"),
    ]) func `unknown steps, apps and choices are rejected`(
        target: String, status: Int, words: String
    ) async throws {
        let fixture = try await FoyerFixture()
        let page = await fixture.page(target)
        #expect(page.status == status)
        #expect(page.text.contains(words))
    }

    @Test func `viewing a step starts nothing and moves no device`() async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        let first = await fixture.page("/walkthrough/mystica/login", device: device)
        #expect(first.status == 200)
        #expect(first.text.contains("walkthrough.navigate"))
        #expect(first.text.contains("/storyboard/mystica/login/default/frame"))
        #expect(try await fixture.simulator.leasedWorkspaces().isEmpty)
        let map = await fixture.goToStep("mystica", "map", device: device)
        // The back button, a reload and a prefetch send such requests.
        for step in ["login", "settings", "register", "splash"] {
            let view = await fixture.page("/walkthrough/mystica/\(step)", device: device)
            #expect(WalkthroughPhone(view.text) == nil)
            #expect(view.text.contains("The device is at map."))
        }
        let atMap = await fixture.page("/walkthrough/mystica/map", device: device)
        #expect(WalkthroughPhone(atMap.text) == WalkthroughPhone(map.text))
        #expect(!atMap.text.contains("walkthrough.navigate"))
    }

    @Test func `the last step has no next step`() async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        let sent = await fixture.submit("/walkthrough/wall/write/next", [], device: device)
        #expect(sent.status == 409)
        #expect(sent.text.contains("write is the last step."))
    }

    @Test func `additional sizes show the same screen as still frames`() async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        for (sizes, count) in [("one", 1), ("three", 3), ("all", 6)] {
            let text = await fixture.goToStep("bob", "login", device: device, sizes: sizes).text
            #expect(text.occurrences(of: "<iframe") == count)
            #expect(text.occurrences(of: "/apps/bob/login?still=1") == count - 1)
        }
    }
}
