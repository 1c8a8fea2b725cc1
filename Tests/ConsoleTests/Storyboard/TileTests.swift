import Apps
import Core
import Support
import Testing
import Web

@testable import Storyboards

/// A tile of the storyboard: one state, reached by running the real flow.
@Suite(.timeLimit(.minutes(10))) struct TileTests {
    @Test(arguments: [
        ("mystica/login/default", "login.email"),
        ("mystica/login/error.email", "login.email.error"),
        ("mystica/login/failure.login.3", "login.error"),
        ("mystica/login/offline.submit", "login.error"),
        ("mystica/login/session-expired", "login.error"), ("mystica/verify/toast.resend", "toast"),
        ("mystica/settings/confirm.logout", "settings.logout.confirm"),
        ("bob/login/confirm.biometric", "login.biometric.match"),
        ("bob/register/alert.submit", "alert"), ("wall/login/notice.getCode", "login.notice"),
        ("wall/wall/default", "wall.empty"), ("wall/wall/unloaded.posts", "wall.retry"),
        ("wall/wall/write.submit", "wall.post"), ("wall/wall/offline.more", "wall.more"),
        ("clarity/dashboard/default", "dashboard.tab.settings"),
    ]) func `a tile shows its state`(tile: String, testID: String) async throws {
        let fixture = try await FoyerFixture()
        let page = await fixture.page("/storyboard/\(tile)/frame")
        #expect(page.status == 200)
        #expect(page.text.contains("data-testid=\"\(testID)"))
        #expect(page.text.contains("class=\"framed static"))
        #expect(!page.text.contains("tile.unreachable"))
    }

    @Test func `an unreachable state shows the reason`() async throws {
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
    ]) func `each network failure shows the manifest's message`(
        tile: String, message: String
    ) async throws {
        let fixture = try await FoyerFixture()
        let page = await fixture.page("/storyboard/\(tile)/frame")
        #expect(page.text.contains("class=\"framed static"))
        #expect(page.text.contains(message))
    }

    @Test func `rendering a state leaves no workspace, exchange or event`() async throws {
        let fixture = try await FoyerFixture()
        let page = await fixture.page("/storyboard/mystica/map/default/frame")
        #expect(page.text.contains("data-screen=\"map\""))
        let workspaces = await fixture.ask(.get, "/api/workspaces")
        #expect(workspaces.json["total"]?.int == 1)
        let exchanges = await fixture.ask(.get, "/api/exchanges")
        #expect(exchanges.json["total"]?.int == 0)
        #expect(fixture.hub.events(in: "main").isEmpty)
    }

    @Test func `a state is rendered once, and again on request`() async throws {
        let fixture = try await FoyerFixture()
        let cache = fixture.makeStateCache()
        let app = try #require(fixture.catalog.app("mystica"))
        let state = try #require(app.storyboardState("login", "default"))
        let other = try #require(app.storyboardState("login", "error.email"))
        let first = try await cache.recording(of: state)
        fixture.frozen.advance(by: 5)
        let second = try await cache.recording(of: state)
        #expect(second.playedAt == first.playedAt)
        let third = try await cache.recording(of: other)
        cache.invalidate(state.id)
        let again = try await cache.recording(of: state)
        #expect(again.playedAt > first.playedAt)
        #expect(cache.cachedRecordings(of: app)[other.id]?.playedAt == third.playedAt)
        cache.invalidate("mystica")
        #expect(cache.cachedRecordings(of: app).isEmpty)
    }

    @Test func `a recording lists the steps that reached its state`() async throws {
        let fixture = try await FoyerFixture()
        let cache = fixture.makeStateCache()
        let app = try #require(fixture.catalog.app("mystica"))
        let state = try #require(app.storyboardState("login", "failure.login.3"))
        let recording = try await cache.recording(of: state)
        #expect(recording.unreachableReason == nil)
        #expect(recording.steps.first?.instruction == "Fresh device")
        #expect(recording.steps.last?.instruction == "Press Login")
        #expect(recording.steps.last?.detail == "login")
        #expect(recording.steps.map(\.number) == Array(1...recording.steps.count))
        #expect(recording.steps.contains { $0.instruction == "Fill Email address, Password" })
    }

    @Test(arguments: [
        ("nowhere/login/default/frame", 404, "No manifest has the id nowhere."),
        ("mystica/nowhere/default/frame", 404, "The manifest has no screen nowhere."),
        ("mystica/login/nowhere/frame", 404, "Valid states of login: default"),
        ("mystica/login/default/frame?size=fridge", 400, "Valid values of size: iphone15"),
        ("mystica/login/default/frame?appearance=loud", 400, "Valid values of appearance: system"),
        ("mystica/login/default/frame?colour=red", 400, "colour is unknown"),
    ]) func `unknown apps, screens, states and parameters are rejected`(
        tile: String, status: Int, message: String
    ) async throws {
        let fixture = try await FoyerFixture()
        let page = await fixture.page("/storyboard/\(tile)")
        #expect(page.status == status)
        #expect(page.text.contains(message))
    }

    @Test func `a tile uses the requested appearance and text size`() async throws {
        let fixture = try await FoyerFixture()
        let dark = await fixture.page(
            "/storyboard/bob/login/default/frame?appearance=dark&text=large")
        #expect(dark.text.contains("framed static dark text-large"))
        let light = await fixture.page("/storyboard/bob/login/default/frame?appearance=light")
        #expect(light.text.contains("framed static light"))
    }
}

extension FoyerFixture {
    fileprivate func makeStateCache() -> StateCache {
        StateCache(
            simulator: simulator, backend: backend, faults: faults, leases: leases,
            world: frozen.world)
    }
}
