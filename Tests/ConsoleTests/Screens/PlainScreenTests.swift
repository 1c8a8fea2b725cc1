import FoundationEssentials
import Support
import Testing
import Web

/// An app that consists of its manifest: its screens use the generic templates.
@Suite(.timeLimit(.minutes(10))) struct PlainScreenTests {
    private static let manifest = """
        {
          name: 'Harbour', order: 9, appearance: 'system',
          look: { glyph: 'H', background: '#112233', letter: '#FFFFFF',
                  cover: '#112233', glow: '#334455' },
          backends: { local: { base: 'http://127.0.0.1:9' } },
          network: { messages: {
            offline: 'a', timeout: 'b', connection: 'c',
            invalidResponse: 'd', server: 'e' } },
          storage: { pass: { area: 'keychain', holds: 'accessToken' } },
          calls: { join: {
            request: { method: 'POST', path: '/join',
                       json: { name: '{name}', berth: '{berth}' } },
            success: { capture: { accessToken: '/pass' } } } },
          session: { expired: { clear: ['keychain'], go: 'join' } },
          launch: [{ go: 'join' }],
          screens: {
            start: { kind: 'launch', title: 'Harbour' },
            join: {
              kind: 'form', title: 'Join', errors: 'form',
              fields: {
                name: { type: 'text', label: 'Name' },
                berth: { type: 'choice', label: 'Berth', initial: 'quay',
                         options: [{ value: 'quay', label: 'At the quay' },
                                   { value: 'buoy', label: 'At a buoy' }] },
                rules: { type: 'toggle', label: 'I keep the rules' },
              },
              rules: [{ fields: ['rules'], required: true,
                        message: 'The rules come first.' }],
              submit: { label: 'Join', enabled: { filled: ['name'] },
                        calls: ['join'], store: ['accessToken'], go: 'home' },
              actions: { later: { label: 'Later', inert: true } },
              links: { about: 'about' },
            },
            about: { kind: 'page', title: 'About the harbour' },
            home: { kind: 'home', title: 'Home', needs: 'session' },
          },
        }
        """

    private func makeFixture(_ manifest: String = manifest) async throws -> FoyerFixture {
        let folder = FileManager.default.temporaryDirectory.path + "/plain-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder + "/harbour", withIntermediateDirectories: true)
        try Data(manifest.utf8).write(to: URL(filePath: folder + "/harbour/app.json5"))
        return try await FoyerFixture(apps: folder)
    }

    @Test func `every kind of field is rendered`() async throws {
        let page = try await makeFixture().page("/apps/harbour/join")
        #expect(page.status == 200)
        #expect(page.text.contains("data-testid=\"join.name\""))
        #expect(page.text.contains("value=\"quay\" checked"))
        #expect(page.text.contains("type=\"checkbox\" value=\"on\""))
        #expect(page.text.contains("data-filled=\"name\""))
        #expect(page.text.contains("aria-disabled=\"true\""))
        #expect(page.text.contains("About the harbour"))
    }

    @Test(arguments: ["sensor", "returned"])
    func `a field may have the name of a prompt's answer`(name: String) async throws {
        let fixture = try await makeFixture(
            Self.manifest.replacing("name: {", with: "\(name): {")
                .replacing("{name}", with: "{\(name)}")
                .replacing("filled: ['name']", with: "filled: ['\(name)']"))
        let device = await fixture.device()
        let join = "/devices/\(device)/apps/harbour/join"
        _ = await fixture.submit("/devices/\(device)/apps/harbour/start/launch", [])
        _ = await fixture.submit(join + "/submit", [(name, "Ada"), ("berth", "quay")])
        let page = await fixture.page(join).text
        #expect(page.contains("The rules come first."))
        #expect(page.contains("value=\"Ada\""))
    }

    @Test func `an app without a style sheet gets the generic one`() async throws {
        let fixture = try await makeFixture()
        let sheet = await fixture.page("/assets/apps/harbour/app.css")
        #expect(sheet.status == 200)
        #expect(sheet.text.contains(".plain-title"))
        #expect(await fixture.page("/assets/apps/nowhere/app.css").status == 404)
    }

    @Test func `an app without a walkthrough has one step per screen`() async throws {
        let fixture = try await makeFixture()
        let device = await fixture.device()
        let start = await fixture.page("/walkthrough/harbour", device: device)
        #expect(start.headers["Location"] == "/walkthrough/harbour/start")
        let join = await fixture.goToStep("harbour", "join", device: device)
        #expect(WalkthroughPhone(join.text)?.screen == "join")
        #expect(join.text.contains("Step 2 of 4"))
        #expect(join.text.contains("without notes"))
        let about = await fixture.goToStep("harbour", "about", device: device)
        #expect(WalkthroughPhone(about.text)?.screen == "about")
        // Its backend is down: the device stays on its screen and the page says so.
        let home = await fixture.goToStep("harbour", "home", device: device)
        #expect(home.status == 200)
        #expect(WalkthroughPhone(home.text)?.screen == "join")
        #expect(home.text.contains("did not reach this screen"))
    }
}
