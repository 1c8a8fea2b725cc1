import FoundationEssentials
import Support
import Testing
import Web

@testable import Console

/// How the storyboard shows a screen whose template does not parse.
@Suite(.timeLimit(.minutes(10))) final class BrokenTemplateTests {
    private let folder =
        FileManager.default.temporaryDirectory.path + "/foyer-broken-\(UUID().uuidString)"

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// A fixture with an additional app, `seventh`, whose login template does not parse.
    private func makeFixture() async throws -> FoyerFixture {
        let files = FileManager.default
        try files.createDirectory(atPath: folder + "/seventh", withIntermediateDirectories: true)
        try files.copyItem(
            atPath: FoyerFixture.root + "/templates/apps/wall/app.json5",
            toPath: folder + "/seventh/app.json5")
        try writeLogin("<h1>Login</h1>\n{{#open}}\n")
        return try await FoyerFixture(apps: folder)
    }

    private func writeLogin(_ template: String) throws {
        try Data(template.utf8).write(to: URL(filePath: folder + "/seventh/login.mustache"))
    }

    private let errorLocation = "seventh/login.mustache:2:1"

    @Test func `a tile shows the template error and its location`() async throws {
        let page = try await makeFixture().page("/storyboard/seventh/login/default/frame")
        #expect(page.status == 500)
        #expect(page.text.contains("data-testid=\"tile.broken\""))
        #expect(page.text.contains(errorLocation))
    }

    @Test func `a broken state is not marked as reached`() async throws {
        let fixture = try await makeFixture()
        await fixture.expectPage("/storyboard/seventh/login/default/frame", status: 500)
        for address in ["?at=login/default", "/login/default"] {
            let page = await fixture.page("/storyboard/seventh" + address)
            #expect(page.status == 200)
            #expect(page.text.contains("</svg>Broken</span>"))
            #expect(!page.text.contains("</svg>Reached</span>"))
            #expect(page.text.contains(errorLocation))
        }
    }

    @Test func `the board counts broken states and links to them`() async throws {
        let fixture = try await makeFixture()
        await fixture.expectPage("/storyboard/seventh/login/default/frame", status: 500)
        let board = await fixture.page("/storyboard/seventh?screen=register")
        let link = try #require(
            board.text.split(separator: "<a ").first { $0.contains("storyboard.failures") })
        #expect(link.contains("1 broken"))
        let tag = link.prefix { $0 != ">" }
        #expect(tag.contains("login") && !tag.contains("screen="))
        let filtered = await fixture.page("/storyboard/seventh?screen=login")
        #expect(filtered.text.contains("is-failed is-broken"))
    }

    @Test func `a screen is rendered again after its template was edited`() async throws {
        let fixture = try await makeFixture()
        let device = await fixture.device()
        await fixture.succeed(.post, "/api/devices/\(device)/apps/seventh/relaunch")
        for text in ["first", "second version"] {
            try writeLogin("<h1>\(text)</h1>")
            // Templates are read again at most a fifth of a second later.
            while await !fixture.page("/apps/seventh/login", device: device).text.contains(text) {
                await Task.yield()
            }
            let page = await fixture.page("/apps/seventh/login", device: device)
            #expect(page.text.contains("<h1>\(text)</h1>"))
        }
    }

    @Test func `another app's states are not marked as broken`() async throws {
        let fixture = try await makeFixture()
        await fixture.expectPage("/storyboard/wall/login/default/frame")
        let page = await fixture.page("/storyboard/wall/login/default")
        #expect(page.text.contains("</svg>Reached</span>"))
    }
}
