import Apps
import Simulator
import Support
import Testing
import Web

@testable import Console

/// An app's way in, step by step, on a phone that is nobody's.
@Suite(.timeLimit(.minutes(10))) struct WalkthroughTests {
    private static let apps = [
        "bob": ["splash", "login", "register", "projects", "settings"],
        "clarity": ["loading", "register", "verify", "login", "reset", "dashboard", "settings"],
        "mystica": ["splash", "register", "verify", "login", "map", "settings"],
        "mystica-instant": ["splash", "map", "settings"],
        "socoto": ["welcome", "signup", "signin", "forgot", "profile"],
        "wall": ["landing", "register", "login", "wall"],
    ]

    @Test(arguments: apps) func `whoever goes on comes to every step for real`(
        app: String, steps: [String]
    ) async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        let begun = await fixture.page("/walkthrough/\(app)", device: device)
        #expect(begun.status == 303)
        #expect(begun.headers["Location"] == "/walkthrough/\(app)/\(steps[0])")
        _ = await fixture.walk(app, steps[0], device: device)
        for (step, next) in zip(steps, steps.dropFirst() + [""]) {
            let page = await fixture.page("/walkthrough/\(app)/\(step)", device: device)
            #expect(page.status == 200)
            #expect(WalkthroughPhone(page.text)?.screen == step, "\(app) \(step)")
            #expect(!page.text.contains("walk.elsewhere"), "\(app) \(step)")
            guard !next.isEmpty else {
                #expect(page.text.contains("walk.end"))
                break
            }
            let sent = await fixture.submit("/walkthrough/\(app)/\(step)/next", [], device: device)
            #expect(sent.status == 303)
            #expect(sent.location == "/walkthrough/\(app)/\(next)")
        }
    }

    @Test func `without notes it begins where a new phone begins`() throws {
        let app = try App(
            id: "raft", file: "app.json5",
            text: """
                {
                  name: 'Raft',
                  backends: { a: { base: 'http://localhost:3000' } },
                  storage: { t: { area: 'keychain', holds: 'accessToken' } },
                  calls: { login: {
                    request: { method: 'POST', path: '/login' },
                    success: { capture: { accessToken: '/t' } },
                  } },
                  launch: [
                    { stored: ['accessToken'], go: 'home' }, { go: 'login' },
                  ],
                  screens: {
                    splash: { kind: 'launch', title: 'Raft' },
                    login: {
                      kind: 'form', title: 'Log in',
                      submit: { label: 'Log in', calls: ['login'],
                                store: ['accessToken'], go: 'home' },
                    },
                    home: { kind: 'home', title: 'Afloat', needs: 'session' },
                  },
                }
                """)
        #expect(app.walkthroughSteps.map(\.id) == ["splash", "login", "home"])
    }

    @Test(arguments: apps) func `every step has an address that leads there from any other`(
        app: String, steps: [String]
    ) async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        for step in steps.reversed() + steps.dropFirst() + [steps[0]] {
            let page = await fixture.walk(app, step, device: device)
            #expect(WalkthroughPhone(page.text)?.screen == step, "\(app) \(step)")
            #expect(!page.text.contains("walk.elsewhere"), "\(app) \(step)")
        }
    }

    @Test(arguments: apps) func `who went back goes on all the same`(app: String, steps: [String])
        async throws
    {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        for index in steps.indices.dropFirst().reversed() {
            let (before, step) = (steps[index - 1], steps[index])
            for target in [step, before] { _ = await fixture.walk(app, target, device: device) }
            let sent = await fixture.submit(
                "/walkthrough/\(app)/\(before)/next", [], device: device)
            #expect(sent.location == "/walkthrough/\(app)/\(step)")
            let page = await fixture.page("/walkthrough/\(app)/\(step)", device: device)
            #expect(WalkthroughPhone(page.text)?.screen == step, "\(app) \(step)")
            #expect(!page.text.contains("walk.elsewhere"), "\(app) \(step)")
        }
    }

    @Test func `the phone is left as it stands when it is there already`() async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        let path = "/walkthrough/mystica/map"
        let one = await fixture.walk("mystica", "map", device: device)
        let two = await fixture.walk("mystica", "map", device: device)
        #expect(WalkthroughPhone(one.text) != nil)
        #expect(WalkthroughPhone(one.text) == WalkthroughPhone(two.text))
        let led = await fixture.page("/walkthrough/mystica", device: device)
        #expect(led.headers["Location"] == path)
    }

    @Test func `the visitor's own phone and workspace hear nothing of it`() async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        let page = await fixture.walk("mystica", "settings", device: device)
        let phone = try #require(WalkthroughPhone(page.text))
        #expect(phone.device != device)
        let totals = await fixture.ask(.get, "/api/exchanges").json
        #expect(totals["items"] == [])
        let own = await fixture.page("/apps/mystica/settings", device: device)
        #expect(own.status == 303)
    }

    @Test func `starting over is another phone in another workspace`() async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        let before = await fixture.walk("wall", "login", device: device)
        let over = await fixture.submit(
            "/walkthrough/wall/over", [("sizes", "three")], device: device)
        #expect(over.location == "/walkthrough/wall/landing?sizes=three")
        let gone = await fixture.page(try #require(WalkthroughPhone(before.text)).path)
        #expect(gone.status == 404)
        #expect(gone.text.contains("There is no such device"))
        let after = await fixture.page("/walkthrough/wall/landing", device: device)
        #expect(WalkthroughPhone(after.text)?.device != WalkthroughPhone(before.text)?.device)
        #expect(after.text.contains("mira.holt@example.com"))
    }

    @Test func `a lease that has ended begins another walk`() async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        let path = "/walkthrough/wall/landing"
        let before = await fixture.walk("wall", "landing", device: device)
        for workspace in try await fixture.simulator.leasedWorkspaces() {
            await fixture.succeed(.delete, "/api/workspaces/\(workspace.id)")
        }
        let none = await fixture.page(path, device: device)
        #expect(none.status == 200)
        #expect(none.text.contains("has not begun"))
        let after = await fixture.walk("wall", "landing", device: device)
        #expect(after.status == 200)
        #expect(WalkthroughPhone(after.text) != nil)
        #expect(WalkthroughPhone(after.text)?.device != WalkthroughPhone(before.text)?.device)
    }

    @Test func `two who look at once walk with one phone`() async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        async let one = fixture.walk("wall", "landing", device: device)
        async let two = fixture.walk("wall", "landing", device: device)
        let phones = await [WalkthroughPhone(one.text), WalkthroughPhone(two.text)]
        #expect(phones[0] != nil)
        #expect(phones[0] == phones[1])
    }

    @Test(arguments: [
        ("/walkthrough/mystica/nowhere", 404, "no such step"),
        ("/walkthrough/nothing/splash", 404, "no such app"),
        ("/walkthrough/nothing", 404, "no such app"),
        ("/walkthrough/mystica/splash?sizes=nine", 400, "no such choice"),
        ("/walkthrough/mystica/splash?size=one", 400, "is unknown"),
    ]) func `what is not there is told`(target: String, status: Int, words: String) async throws {
        let fixture = try await FoyerFixture()
        let page = await fixture.page(target)
        #expect(page.status == status)
        #expect(page.text.contains(words))
    }

    @Test func `a look at a step begins nothing and moves no phone`() async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        let first = await fixture.page("/walkthrough/mystica/login", device: device)
        #expect(first.status == 200)
        #expect(first.text.contains("walk.bring"))
        #expect(first.text.contains("/storyboard/mystica/login/default/frame"))
        #expect(try await fixture.simulator.leasedWorkspaces().isEmpty)
        let map = await fixture.walk("mystica", "map", device: device)
        // Back, a reload and a prefetch are such looks.
        for step in ["login", "settings", "register", "splash"] {
            let look = await fixture.page("/walkthrough/mystica/\(step)", device: device)
            #expect(WalkthroughPhone(look.text) == nil)
            #expect(look.text.contains("The phone stands at map."))
        }
        let still = await fixture.page("/walkthrough/mystica/map", device: device)
        #expect(WalkthroughPhone(still.text) == WalkthroughPhone(map.text))
        #expect(!still.text.contains("walk.bring"))
    }

    @Test func `after the last step nothing comes`() async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        let sent = await fixture.submit("/walkthrough/wall/wall/next", [], device: device)
        #expect(sent.status == 409)
        #expect(sent.text.contains("wall is its last step."))
    }

    @Test func `more sizes show the same screen, to look at only`() async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        for (sizes, count) in [("one", 1), ("three", 3), ("all", 4)] {
            let text = await fixture.walk("bob", "login", device: device, sizes: sizes).text
            #expect(text.occurrences(of: "<iframe") == count)
            #expect(text.occurrences(of: "/apps/bob/login?still=1") == count - 1)
        }
    }
}
