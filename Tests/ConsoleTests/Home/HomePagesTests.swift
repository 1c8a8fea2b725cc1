import Apps
import Backend
import Core
import DesignTokens
import FoundationEssentials
import Glibc
import Simulator
import Support
import Testing
import Web

@testable import Console

@Suite(.timeLimit(.minutes(10))) struct HomePagesTests {
    @Test func `opening the home page creates no device`() async throws {
        let fixture = try await FoyerFixture()
        let page = await fixture.page("/")
        #expect(page.status == 200)
        #expect(page.text.contains("Six apps, one workspace"))
        #expect(page.text.contains("Not started"))
        #expect(try await fixture.simulator.devices(in: "main").total == 0)
    }

    @Test func `a card shows the app's current screen and user on this device`() async throws {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        let apps = await fixture.page("/?part=apps", device: device)
        #expect(apps.text.contains("On map, nora@example.com"))
        #expect(!apps.text.contains("<html"))
        let other = await fixture.page("/?part=apps")
        #expect(!other.text.contains("nora@example.com"))
    }

    @Test func `the navigation of every page counts sessions and mail`() async throws {
        let fixture = try await FoyerFixture()
        let empty = await fixture.page("/?part=nav")
        #expect(!empty.text.contains("place-count"))
        _ = try await fixture.registered()
        _ = try await fixture.backend.mailbox.clear(workspace: "main")
        _ = try await fixture.registered("zoe@example.com")
        for page in ["/", "/sessions", "/traffic", "/mailbox"] {
            let navigation = await fixture.page(page + "?part=nav")
            #expect(navigation.text.contains("nav.sessions.count\">2<"), "\(page)")
            #expect(navigation.text.contains("nav.mailbox.count\">1<"), "\(page)")
        }
    }

    @Test func `several parts are requested at once, each in a template`() async throws {
        let fixture = try await FoyerFixture()
        let page = await fixture.page("/?part=apps,nav")
        let apps = await fixture.page("/?part=apps").text
        let navigation = await fixture.page("/?part=nav").text
        #expect(
            page.text
                == "<template data-part=\"apps\">\(apps)</template>"
                + "<template data-part=\"nav\">\(navigation)</template>")
        #expect(await fixture.page("/?part=apps,cellar").status == 404)
    }

    @Test func `an app provides its own cover image`() async throws {
        let fixture = try await FoyerFixture()
        let page = await fixture.page("/?part=apps")
        let address = "/assets/apps/mystica/cover.svg"
        #expect(page.text.contains(address))
        #expect(await fixture.page(address).status == 200)
    }

    @Test func `the cover of an app with system appearance has a dark variant`() async throws {
        let fixture = try await FoyerFixture()
        var systemAppCount = 0
        for case .app(let app) in fixture.catalog.entries() where app.appearance == .system {
            systemAppCount += 1
            let address = "/assets/apps/\(app.id)/cover"
            let dark = await fixture.page(address + "-dark.svg").status == 200
            let cover = await fixture.page(address + ".svg").text
            #expect(dark || cover.contains("prefers-color-scheme: dark"), "\(app.id)")
        }
        #expect(systemAppCount > 0)
    }

    @Test func `a cover that is a symbolic link is ignored`() throws {
        let folder =
            FileManager.default.temporaryDirectory.path + "/foyer-covers-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let ownFolder = folder + "/raft/public"
        try FileManager.default.createDirectory(
            atPath: ownFolder, withIntermediateDirectories: true)
        try Data("a{}".utf8).write(to: URL(filePath: ownFolder + "/app.css"))
        #expect(symlink("/etc/passwd", ownFolder + "/cover.svg") == 0)
        let folders = AppFolders(
            publicFolder: FoyerFixture.root + "/Public", userAppsFolder: folder)
        #expect(folders.locateFile(at: "/assets/apps/raft/cover.svg") == nil)
        #expect(folders.locateFile(at: "/assets/apps/raft/app.css") != nil)
    }
}
