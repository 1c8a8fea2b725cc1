import FoundationEssentials
import Support
import Testing
import Web

@testable import Console

/// What the storyboard says of a screen whose template has a mistake.
@Suite(.timeLimit(.minutes(10))) final class BrokenTemplateTests {
    private let folder =
        FileManager.default.temporaryDirectory.path + "/foyer-broken-\(UUID().uuidString)"

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// With a further app, `seventh`, whose login does not parse.
    private func house() async throws -> FoyerFixture {
        let files = FileManager.default
        try files.createDirectory(atPath: folder + "/seventh", withIntermediateDirectories: true)
        try files.copyItem(
            atPath: FoyerFixture.root + "/templates/apps/wall/app.json5",
            toPath: folder + "/seventh/app.json5")
        try Data("<h1>Login</h1>\n{{#open}}\n".utf8).write(
            to: URL(filePath: folder + "/seventh/login.mustache"))
        return try await FoyerFixture(apps: folder)
    }

    private let place = "seventh/login.mustache:2:1"

    @Test func `a tile says what is wrong, and where`() async throws {
        let page = try await house().page("/storyboard/seventh/login/default/frame")
        #expect(page.status == 500)
        #expect(page.text.contains("data-testid=\"tile.broken\""))
        #expect(page.text.contains(place))
    }

    @Test func `a broken state is not called reached`() async throws {
        let fixture = try await house()
        await fixture.shown("/storyboard/seventh/login/default/frame", status: 500)
        for address in ["?at=login/default", "/login/default"] {
            let page = await fixture.page("/storyboard/seventh" + address)
            #expect(page.status == 200)
            #expect(page.text.contains("</svg>broken</span>"))
            #expect(!page.text.contains("</svg>reached</span>"))
            #expect(page.text.contains(place))
        }
    }

    @Test func `the sheet counts what is broken, and leads to it`() async throws {
        let fixture = try await house()
        await fixture.shown("/storyboard/seventh/login/default/frame", status: 500)
        let sheet = await fixture.page("/storyboard/seventh?screen=register")
        let link = try #require(
            sheet.text.split(separator: "<a ").first { $0.contains("storyboard.lost") })
        #expect(link.contains("1 broken"))
        #expect(link.contains("login") && !link.contains("screen="))
        let own = await fixture.page("/storyboard/seventh?screen=login")
        #expect(own.text.contains("is-lost is-broken"))
    }

    @Test func `another app's states are not called broken`() async throws {
        let fixture = try await house()
        await fixture.shown("/storyboard/wall/login/default/frame")
        let page = await fixture.page("/storyboard/wall/login/default")
        #expect(page.text.contains("</svg>reached</span>"))
    }
}
