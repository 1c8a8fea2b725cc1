import Apps
import Core
import Support
import Testing
import Web

@testable import Console

/// A tile of the storyboard: one state, played for real.
@Suite(.timeLimit(.minutes(10))) struct TileTests {
    @Test(arguments: [
        ("mystica/login/default", "login.email"),
        ("mystica/login/error.email", "login.email.error"),
        ("mystica/login/failure.login.2", "login.error"),
        ("mystica/login/offline.submit", "login.error"),
        ("mystica/login/session-lost", "login.error"), ("mystica/verify/toast.resend", "toast"),
        ("mystica/settings/confirm.logout", "settings.logout.confirm"),
        ("bob/login/confirm.biometric", "login.biometric.match"),
        ("bob/register/alert.submit", "alert"), ("wall/login/notice.getCode", "login.notice"),
        ("clarity/dashboard/default", "dashboard.tab.settings"),
    ]) func `a state is on its screen`(tile: String, testID: String) async throws {
        let fixture = try await FoyerFixture()
        let page = await fixture.page("/storyboard/\(tile)/frame")
        #expect(page.status == 200)
        #expect(page.text.contains("data-testid=\"\(testID)"))
        #expect(page.text.contains("class=\"framed still"))
        #expect(!page.text.contains("tile.unreachable"))
    }

    @Test func `a state the backend does not lead to says so and why`() async throws {
        let fixture = try await FoyerFixture()
        let page = await fixture.page("/storyboard/mystica/register/failure.register.1/frame")
        #expect(page.status == 200)
        #expect(page.text.contains("data-testid=\"tile.unreachable\""))
        #expect(page.text.contains("WEAK_PASSWORD"))
        #expect(!page.text.contains("register.email"))
    }

    @Test(arguments: [
        ("bob/login/connection.submit", "An unexpected error occurred."),
        ("bob/login/offline.submit", "No internet connection."),
        ("mystica/register/connection.submit", "Could not reach the server."),
        ("socoto/signin/connection.submit", "Could not connect to the server"),
    ]) func `each trouble with the network has the words the manifest gives it`(
        tile: String, words: String
    ) async throws {
        let fixture = try await FoyerFixture()
        let page = await fixture.page("/storyboard/\(tile)/frame")
        #expect(page.text.contains("class=\"framed still"))
        #expect(page.text.contains(words))
    }

    @Test func `playing leaves nothing behind`() async throws {
        let fixture = try await FoyerFixture()
        let page = await fixture.page("/storyboard/mystica/map/default/frame")
        #expect(page.text.contains("data-screen=\"map\""))
        let workspaces = await fixture.ask(.get, "/api/workspaces")
        #expect(workspaces.json["total"]?.int == 1)
        let exchanges = await fixture.ask(.get, "/api/exchanges")
        #expect(exchanges.json["total"]?.int == 0)
        #expect(fixture.hub.events(in: "main").isEmpty)
    }

    @Test func `a state is played once, and again when it is asked to`() async throws {
        let fixture = try await FoyerFixture()
        let stage = StateCache(
            services: fixture.site.services, leases: Leases(services: fixture.site.services))
        let app = try #require(fixture.catalogue.app("mystica"))
        let screen = try #require(app.screen("login"))
        let state = app.screenStates(of: screen)[0]
        let first = try await stage.recording(app, screen, state)
        fixture.frozen.advance(by: 5)
        let second = try await stage.recording(app, screen, state)
        #expect(second.playedAt == first.playedAt)
        let other = app.screenStates(of: screen)[1]
        let third = try await stage.recording(app, screen, other)
        let again = try await stage.recording(app, screen, state, ignoringCache: true)
        #expect(again.playedAt > first.playedAt)
        #expect(
            stage.cachedRecordings(of: app)[.init(screen: "login", state: other.name)]?.playedAt
                == third.playedAt)
        stage.invalidate("mystica")
        #expect(stage.cachedRecordings(of: app).isEmpty)
    }

    @Test func `a scene tells how it was reached`() async throws {
        let fixture = try await FoyerFixture()
        let stage = StateCache(
            services: fixture.site.services, leases: Leases(services: fixture.site.services))
        let app = try #require(fixture.catalogue.app("mystica"))
        let screen = try #require(app.screen("login"))
        let state = try #require(
            app.screenStates(of: screen).first { $0.name == "failure.login.2" })
        let scene = try await stage.recording(app, screen, state)
        #expect(scene.isReached)
        #expect(scene.steps.first?.instruction == "Fresh device")
        #expect(scene.steps.last == .init(instruction: "Press Login", detail: "login"))
        #expect(scene.steps.contains { $0.instruction == "Fill Email address, Password" })
    }

    @Test(arguments: [
        ("nowhere/login/default/frame", 404, "No manifest has the id nowhere."),
        ("mystica/nowhere/default/frame", 404, "Its manifest has no screen nowhere."),
        ("mystica/login/nowhere/frame", 404, "This screen has no such state"),
        ("mystica/login/default/frame?size=fridge", 400, "size can be iphone15"),
        ("mystica/login/default/frame?appearance=loud", 400, "appearance can be system"),
        ("mystica/login/default/frame?colour=red", 400, "colour is unknown"),
    ]) func `what is not there is told`(tile: String, status: Int, words: String) async throws {
        let fixture = try await FoyerFixture()
        let page = await fixture.page("/storyboard/\(tile)")
        #expect(page.status == status)
        #expect(page.text.contains(words))
    }

    @Test func `a tile is drawn as it is asked for`() async throws {
        let fixture = try await FoyerFixture()
        let dark = await fixture.page(
            "/storyboard/bob/login/default/frame?appearance=dark&text=large")
        #expect(dark.text.contains("framed still dark text-large"))
        let light = await fixture.page("/storyboard/bob/login/default/frame?appearance=light")
        #expect(light.text.contains("framed still light"))
    }
}
