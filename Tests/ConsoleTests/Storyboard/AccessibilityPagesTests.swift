import Apps
import Support
import Testing
import Traffic
import Web

@Suite(.timeLimit(.minutes(10))) struct AccessibilityPagesTests {
    private static let apps = ["bob", "clarity", "mystica", "mystica-instant", "socoto", "wall"]

    private func states(_ page: String) -> [String] {
        page.split(separator: "data-testid=\"audit.state.").dropFirst().map {
            String($0.prefix { $0 != "\"" })
        }
    }

    @Test(arguments: apps) func `every state of every screen has a row with links`(app: String)
        async throws
    {
        let fixture = try await FoyerFixture()
        let page = await fixture.page("/storyboard/\(app)/accessibility")
        #expect(page.status == 200)
        let manifest = try #require(fixture.catalog.app(app))
        let keys = manifest.screens.flatMap { screen in
            manifest.states(of: screen).map { (screen.id, $0) }
        }
        #expect(states(page.text) == keys.map { "\($0.0).\($0.1)" })
        for (screen, state) in keys {
            let stateURL = "/storyboard/\(app)/\(screen)/\(state)"
            #expect(page.text.contains("href=\"\(stateURL)?size="))
            #expect(page.text.contains("data-frame=\"\(stateURL)/frame?size="))
        }
    }

    @Test func `viewing the list renders no state`() async throws {
        let fixture = try await FoyerFixture()
        await fixture.expectPage("/storyboard/mystica/accessibility")
        #expect(try await fixture.exchanges.totals(workspace: "main").all == 0)
        let page = await fixture.page("/storyboard/mystica/accessibility")
        #expect(page.text.contains("Not rendered"))
    }

    @Test func `a state declares how it must be announced`() async throws {
        let fixture = try await FoyerFixture()
        let page = await fixture.page("/storyboard/bob/accessibility").text
        func announcement(_ state: String) -> String? {
            let row =
                page.split(separator: "data-state=\"\(state)\"").last?.prefix { $0 != ">" } ?? ""
            return row.split(separator: "data-expects=\"").dropFirst().first.map {
                String($0.prefix { $0 != "\"" })
            }
        }
        #expect(announcement("login.default") == nil)
        #expect(announcement("login.error.email") == "field")
        #expect(announcement("login.failure.login.1") == "alert")
        #expect(announcement("login.loading.submit") == "busy")
        #expect(announcement("settings.confirm.signOut") == "dialog")
    }

    @Test func `the choices are part of the URL and of its links`() async throws {
        let fixture = try await FoyerFixture()
        let page = await fixture.page(
            "/storyboard/bob/accessibility?screen=login&finding=text"
                + "&size=iphonese&appearance=dark&text=extraLarge")
        #expect(states(page.text).allSatisfy { $0.hasPrefix("login.") })
        #expect(page.text.contains("data-finding=\"text\""))
        #expect(page.text.contains("data-width=\"375\""))
        #expect(page.text.contains("data-phone=\"iPhone SE, dark\""))
        #expect(
            page.text.contains(
                "/storyboard/bob/login/default/frame?size=iphonese"
                    + "&amp;appearance=dark&amp;text=extraLarge"))
        #expect(
            page.text.contains(
                "href=\"/storyboard/bob/accessibility?screen=login"
                    + "&amp;finding=text&amp;size=ipad&amp;appearance=dark"
                    + "&amp;text=extraLarge\""))
    }

    @Test func `an app with one appearance has no appearance choice`() async throws {
        let fixture = try await FoyerFixture()
        let one = await fixture.page("/storyboard/mystica/accessibility")
        #expect(!one.text.contains("audit.appearance."))
        #expect(!one.text.contains("appearance=light"))
        let two = await fixture.page("/storyboard/bob/accessibility")
        #expect(two.text.contains("audit.appearance.dark"))
        #expect(two.text.contains("appearance=light"))
    }

    @Test(
        arguments: [
            ("/storyboard/nowhere/accessibility", 404),
            ("/storyboard/bob/accessibility?x=1", 400),
            ("/storyboard/bob/accessibility?finding=noise", 400),
            ("/storyboard/bob/accessibility?screen=nowhere", 400),
            ("/storyboard/bob/accessibility?size=watch", 400),
            ("/storyboard/bob/accessibility?appearance=system", 400),
        ])
    func `unknown choices are rejected`(
        address: String, status: Int
    ) async throws {
        let fixture = try await FoyerFixture()
        #expect(await fixture.page(address).status == status)
    }

    @Test func `a tile marks the element that would get the focus`() async throws {
        let fixture = try await FoyerFixture()
        let tile = await fixture.page("/storyboard/mystica/settings/confirm.logout/frame")
        #expect(tile.text.contains(" data-autofocus "))
        #expect(!tile.text.contains(" autofocus"))
    }
}
