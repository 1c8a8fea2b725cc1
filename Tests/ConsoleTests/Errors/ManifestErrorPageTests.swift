import FoundationEssentials
import Support
import Testing
import Web

@Suite(.timeLimit(.minutes(10))) struct ManifestErrorPageTests {
    /// Creates a folder with one app whose manifest is `text`.
    private func folder(_ text: String) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "foyer-\(UUID().uuidString)"
        ).path
        try FileManager.default.createDirectory(
            atPath: folder + "/harbour", withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(filePath: folder + "/harbour/app.json5"))
        return folder
    }

    @Test func `a broken manifest shows an error page instead of the studio`() async throws {
        let folder = try folder("{\n  name: 'Harbour',\n  colour: 'blue',\n}\n")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let fixture = try await FoyerFixture(apps: folder)
        let page = await fixture.page("/studio/harbour")
        #expect(page.status == 503)
        #expect(page.text.contains("Couldn&#39;t load Harbour"))
        #expect(page.text.contains("/harbour/app.json5"))
        #expect(page.text.contains("source-marked"))
        #expect(page.text.contains("The other 6 apps run."))
        #expect(page.text.contains("data-reload-on=\"apps.reloaded\""))
    }

    @Test func `the page and the API report every mistake in a manifest`() async throws {
        let folder = try folder("{\n  name: 'Harbour',\n  colour: 'blue',\n  ordr: 3,\n}\n")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let fixture = try await FoyerFixture(apps: folder)
        for text in [
            await fixture.page("/studio/harbour").text, await fixture.page("/api/apps").text,
        ] {
            #expect(text.contains("colour"))
            #expect(text.contains("Did you mean order?"))
        }
    }

    @Test func `the home page lists a broken app with a link to its errors`() async throws {
        let folder = try folder("{ name: ")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let fixture = try await FoyerFixture(apps: folder)
        let page = await fixture.page("/")
        #expect(page.text.contains("Seven apps"))
        #expect(page.text.contains("home.app.harbour.problem"))
        #expect(await fixture.page("/studio/mystica").status == 200)
    }
}
