import Apps
import Core
import FoundationEssentials
import Simulator
import Support
import Testing
import Traffic
import Web

@Suite(.timeLimit(.minutes(10))) struct BoardPagesTests {
    private static let apps = ["mystica", "mystica-instant", "bob", "wall", "socoto", "clarity"]

    private func tiles(_ page: String) -> [String] {
        page.split(separator: "data-testid=\"storyboard.tile.").dropFirst().map {
            String($0.prefix { $0 != "\"" })
        }
    }

    @Test(arguments: apps) func `every state of every screen has a tile`(app: String) async throws {
        let fixture = try await FoyerFixture()
        let page = await fixture.page("/storyboard/\(app)")
        #expect(page.status == 200)
        let manifest = try #require(fixture.catalog.app(app))
        let expected = manifest.screens.flatMap { screen in
            manifest.states(of: screen).map { "\(screen.id).\($0)" }
        }
        #expect(tiles(page.text) == expected)
    }

    @Test(arguments: apps) func `no two tiles have the same title`(app: String)
        async throws
    {
        let fixture = try await FoyerFixture()
        let page = await fixture.page("/storyboard/\(app)")
        let names = page.text.split(separator: "\" loading=\"lazy\"").dropLast().compactMap {
            part in part.split(separator: "title=\"").last.map(String.init)
        }
        #expect(names.count == tiles(page.text).count)
        #expect(Set(names).count == names.count)
        #expect(names.allSatisfy { !$0.hasSuffix(": ") })
    }

    @Test func `viewing the board renders no state`() async throws {
        let fixture = try await FoyerFixture()
        let board = await fixture.page("/storyboard/mystica?at=login/loading.submit")
        #expect(board.text.contains("storyboard.tile.login.loading.submit"))
        #expect(try await fixture.exchanges.totals(workspace: "main").all == 0)
        #expect(try await fixture.simulator.devices(in: "main").total == 0)
    }

    @Test func `the board links to a state that could not be reached`() async throws {
        let fixture = try await FoyerFixture()
        let state = "failure.register.1"
        let tile = await fixture.page("/storyboard/mystica/register/\(state)/frame")
        #expect(tile.text.contains("tile.unreachable"))
        let board = await fixture.page("/storyboard/mystica?screen=login")
        let link = try #require(
            board.text.split(separator: "<a ").first { $0.contains("storyboard.failures") })
        #expect(link.contains("1 unreachable"))
        let tag = link.prefix { $0 != ">" }
        #expect(tag.contains(state) && !tag.contains("screen="))
    }

    @Test func `a screen that no app has is rejected`() async throws {
        let fixture = try await FoyerFixture()
        let page = await fixture.page("/storyboard/mystica?screen=bogus")
        #expect(page.status == 404)
        #expect(page.text.contains("bogus"))
        let other = await fixture.page("/storyboard/mystica?screen=projects")
        #expect(other.status == 200)
        #expect(other.text.contains("No matching states"))
    }

    @Test func `the board is filtered by screen and by kind`() async throws {
        let fixture = try await FoyerFixture()
        let one = await fixture.page("/storyboard/mystica?screen=verify")
        #expect(
            tiles(one.text) == [
                "verify.default", "verify.loading.resend", "verify.toast.resend",
                "verify.login.failure.login.1",
            ])
        let kind = await fixture.page("/storyboard/mystica?kind=network&screen=splash")
        #expect(
            tiles(kind.text) == [
                "splash.offline", "splash.timeout", "splash.connection", "splash.invalidResponse",
            ])
        #expect(kind.text.contains("Screen: splash"))
        #expect(kind.text.contains("State: Network"))
    }

    @Test func `filters without matches say so and can be cleared`() async throws {
        let fixture = try await FoyerFixture()
        let page = await fixture.page("/storyboard/mystica?kind=disabled")
        #expect(page.status == 200)
        #expect(tiles(page.text).isEmpty)
        #expect(page.text.contains("No matching states"))
        #expect(page.text.contains("href=\"/storyboard/mystica\">Show all"))
    }

    @Test func `two apps are shown side by side`() async throws {
        let fixture = try await FoyerFixture()
        let page = await fixture.page("/storyboard/mystica?compare=wall&of=wall&at=login/default")
        #expect(tiles(page.text).contains("login.default"))
        #expect(tiles(page.text).contains("wall.login.default"))
        #expect(page.text.contains("12 screens"))
        #expect(page.text.contains("/storyboard/wall/login/default\""))
    }

    @Test(arguments: [
        ("/storyboard/nothing", 404), ("/storyboard/mystica?compare=no", 404),
        ("/storyboard/mystica?at=login/never", 404), ("/storyboard/mystica?at=login", 404),
        ("/storyboard/mystica?of=wall&at=login/default", 404),
        ("/storyboard/mystica?kind=odd", 400),
        ("/storyboard/mystica?zoom=0", 400),
        ("/storyboard/mystica?zoom=far", 400),
        ("/storyboard/mystica?size=watch", 400),
        ("/storyboard/mystica?oh=1", 400),
        ("/storyboard/mystica?part=no", 404),
    ])
    func `unknown apps, states and parameters are rejected`(
        address: String, status: Int
    ) async throws {
        let fixture = try await FoyerFixture()
        #expect(await fixture.page(address).status == status)
    }

    @Test func `an app is not compared with itself`() async throws {
        let fixture = try await FoyerFixture()
        let alone = await fixture.page("/storyboard/mystica")
        let twice = await fixture.page("/storyboard/mystica?compare=mystica")
        #expect(tiles(twice.text) == tiles(alone.text))
    }

    @Test func `the panel describes a state with its selectors`() async throws {
        let fixture = try await FoyerFixture()
        let panel = await fixture.page("/storyboard/mystica?at=login/failure.login.3&part=panel")
        #expect(panel.status == 200)
        #expect(!panel.text.contains("<html"))
        #expect(panel.text.contains("Invalid email or password"))
        for name in [
            "login.tab.register", "login.email", "login.email.error", "login.password.reveal",
            "login.submit", "login.error",
        ] { #expect(panel.text.contains(">\(name)<"), "\(name)") }
        #expect(
            panel.text.contains("http://127.0.0.1:7070/storyboard/mystica/login/failure.login.3"))
    }

    @Test func `a default state shows the walkthrough's note`() async throws {
        let fixture = try await FoyerFixture()
        let app = try #require(fixture.catalog.app("mystica"))
        let step = try #require(app.walkthrough.first)
        let panel = await fixture.page("/storyboard/mystica?at=\(step.screen)/default&part=panel")
        let beginning = step.note.prefix { $0.isLetter || $0 == " " }
        #expect(!beginning.isEmpty && panel.text.contains(beginning))
    }

    @Test func `links preserve the current parameters`() async throws {
        let fixture = try await FoyerFixture()
        let page = await fixture.page(
            "/storyboard/bob?size=ipad&appearance=dark&zoom=50&kind=failure")
        let tile =
            "/storyboard/bob?kind=failure&amp;size=ipad&amp;"
            + "appearance=dark&amp;zoom=50&amp;at=login%2Ffailure.login.1"
        #expect(page.text.contains("href=\"\(tile)\""))
        #expect(
            page.text.contains(
                "/storyboard/bob/login/failure.login.1/frame?size=ipad&amp;appearance=dark\""))
        // An app with one appearance has no appearance choice.
        let dark = await fixture.page("/storyboard/mystica")
        #expect(!dark.text.contains("storyboard.appearance"))
        #expect(!dark.text.contains("appearance=\""))
    }

    @Test(arguments: [
        "/storyboard/harbour", "/storyboard/harbour/map",
        "/storyboard/harbour/tokens", "/storyboard/harbour/copy",
        "/storyboard/harbour/accessibility", "/walkthrough/harbour",
        "/studio/harbour",
    ]) func `a broken manifest shows an error page instead of the app's pages`(address: String)
        async throws
    {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "foyer-\(UUID().uuidString)"
        ).path
        try FileManager.default.createDirectory(
            atPath: folder + "/harbour", withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data("{ name: ".utf8).write(to: URL(filePath: folder + "/harbour/app.json5"))
        let fixture = try await FoyerFixture(apps: folder)
        let page = await fixture.page(address)
        #expect(page.status == 503)
        #expect(page.text.contains("Couldn&#39;t load Harbour"))
        // The reload link leads back to the same page.
        #expect(page.text.contains("href=\"\(address)\""))
        #expect(await fixture.page("/storyboard/mystica").status == 200)
    }

    @Test func `re-rendering redirects back to its board`() async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        let board = "/storyboard/mystica?kind=failure"
        let response = await fixture.submit(
            "/storyboard/mystica/render", [("back", board)], device: device)
        #expect(response.status == 303)
        #expect(response.location == board)
        let elsewhere = await fixture.submit(
            "/storyboard/mystica/render", [("back", "//example.com")], device: device)
        #expect(elsewhere.location == "/storyboard/mystica")
    }

    @Test func `the navigation and the home page link to the storyboard`() async throws {
        let fixture = try await FoyerFixture()
        let home = await fixture.page("/")
        #expect(home.text.contains("nav.storyboard"))
        #expect(home.text.contains("home.app.mystica.storyboard"))
        let first = await fixture.page("/storyboard")
        #expect(first.status == 303)
        #expect(first.headers["Location"] == "/storyboard/mystica")
    }

    @Test func `a second size and appearance add a second phone with its name to each state`()
        async throws
    {
        let fixture = try await FoyerFixture()
        let address = "/storyboard/bob?screen=splash&besideSize=ipad&besideAppearance=dark"
        let page = await fixture.page(address).text
        let frame = "/storyboard/bob/splash/default/frame?size="
        for text in [
            "phone phone-iphone15 ", "phone phone-ipad ",
            frame + "iphone15&amp;appearance=system\"",
            frame + "ipad&amp;appearance=dark\"", ">iPhone 15, system</span>",
            ">iPad, dark</span>", "Size: iPhone 15, iPad<", "Appearance: System, Dark<",
        ] { #expect(page.contains(text), "\(text)") }
        // The links to the states keep both.
        #expect(page.contains("besideSize=ipad&amp;besideAppearance=dark&amp;at=splash%2Fdefault"))
        #expect(await fixture.page(address + "0").status == 400)
    }

    @Test(arguments: [
        // The same size and appearance.
        "bob?besideSize=iphone15&besideAppearance=system",
        // An app with one appearance.
        "mystica?besideAppearance=dark",
    ]) func `a second phone that would be the same as the first is not shown`(address: String)
        async throws
    {
        let fixture = try await FoyerFixture()
        let page = await fixture.page("/storyboard/" + address + "&screen=splash").text
        #expect(page.occurrences(of: "<div class=\"phone ") == page.occurrences(of: "data-tile "))
        #expect(!page.contains("class=\"phone-name\""))
    }

    @Test func `a tile has a skeleton in the app's colors until it is rendered`() async throws {
        let fixture = try await FoyerFixture()
        let page = await fixture.page("/storyboard/bob").text
        #expect(page.contains("<symbol id=\"skeleton-bob\"><rect"))
        #expect(page.contains("fill=\"#E6F2FF\""))
        #expect(page.contains("<use href=\"#skeleton-bob\"/>"))
        let state = await fixture.page("/storyboard/bob/login/default").text
        #expect(state.contains("<svg class=\"skeleton\""))
    }
}
