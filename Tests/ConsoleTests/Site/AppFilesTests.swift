import FoundationEssentials
import Support
import Testing
import Web

/// Files of an app's folder, which are served at the console's origin and must not run there.
@Suite(.timeLimit(.minutes(10))) final class AppFilesTests {
    private let folder =
        FileManager.default.temporaryDirectory.path + "/app-files-\(UUID().uuidString)"

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
            request: { method: 'POST', path: '/join' },
            success: { capture: { accessToken: '/pass' } } } },
          session: { expired: { clear: ['keychain'], go: 'join' } },
          launch: [{ go: 'join' }],
          screens: {
            start: { kind: 'launch', title: 'Harbour' },
            join: {
              kind: 'form', title: 'Join',
              fields: { name: { type: 'text', label: 'Name' } },
              submit: { label: 'Join', calls: ['join'],
                        store: ['accessToken'], go: 'home' },
            },
            home: { kind: 'home', title: 'Home', needs: 'session' },
          },
        }
        """

    /// A script that must never be served from an app's folder.
    private static let scriptSource = "document.title = 'taken';"

    /// A fixture with an app called `js` that has every kind of file.
    private func makeFixture() async throws -> FoyerFixture {
        try write("js/app.json5", Self.manifest)
        try write("js/join.mustache", "<script src=\"/assets/apps/js/x.js\">")
        for name in [
            "x.js", "x.mjs", "x.JS", "x.html", "x.xhtml", "x.xml", "x.json", "x.txt", "x.wasm", "x",
            "console.js", "x.css.js",
        ] { try write("js/public/" + name, Self.scriptSource) }
        try write("console.js", Self.scriptSource)
        for name in ["app.css", "cover.svg", "x.png", "x.woff2"] {
            try write("js/public/" + name, "b{}")
        }
        return try await FoyerFixture(apps: folder)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func write(_ name: String, _ text: String) throws {
        let path = folder + "/" + name
        let parent = path[..<(path.lastIndex(of: "/") ?? path.endIndex)]
        try FileManager.default.createDirectory(
            atPath: String(parent), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(filePath: path))
    }

    @Test func `only an app's style sheets, images and fonts are served`() async throws {
        let fixture = try await makeFixture()
        for name in ["app.css", "cover.svg", "x.png", "x.woff2"] {
            let response = await fixture.page("/assets/apps/js/" + name)
            #expect(response.status == 200, "\(name)")
            #expect(response.headers["X-Content-Type-Options"] == "nosniff", "\(name)")
        }
        for name in [
            "x.js", "x.mjs", "x.JS", "x.html", "x.xhtml", "x.xml", "x.json", "x.txt", "x.wasm", "x",
            "console.js", "x.css.js",
        ] {
            let response = await fixture.page("/assets/apps/js/" + name)
            #expect(response.status == 404, "\(name)")
            #expect(response.text.contains("not a style sheet, image or font"), "\(name)")
        }
    }

    @Test func `an app's SVG runs no script when it is opened as a page`() async throws {
        let fixture = try await makeFixture()
        for path in ["js/cover.svg", "js/app.css", "mystica/cover.svg"] {
            let response = await fixture.page("/assets/apps/" + path)
            #expect(
                response.headers.all("Content-Security-Policy") == [ContentSecurityPolicy.appFile],
                "\(path)")
            #expect(
                response.headers.all("Cross-Origin-Opener-Policy") == ["unsafe-none"], "\(path)")
        }
        #expect(ContentSecurityPolicy.appFile.hasSuffix("; sandbox"))
        #expect(!ContentSecurityPolicy.appFile.contains("script"))
        let icons = await fixture.page("/assets/icons.svg")
        #expect(icons.headers["Content-Security-Policy"] == ContentSecurityPolicy.nonPage)
    }

    @Test func `a page allows only the console's scripts, each by its URL`() async throws {
        let fixture = try await makeFixture()
        let page = await fixture.page("/")
        let policy = try #require(page.headers["Content-Security-Policy"])
        let scripts = try #require(
            policy.split(separator: "; ").first { $0.hasPrefix("script-src ") }
        ).split(separator: " ").dropFirst()
        #expect(scripts.count > 10)
        for script in scripts {
            #expect(script.hasPrefix("127.0.0.1:7070/assets/"))
            #expect(!script.hasPrefix("127.0.0.1:7070/assets/apps/"))
            let path = String(script.drop { $0 != "/" })
            let response = await fixture.page(path)
            #expect(response.status == 200, "\(path)")
            #expect(response.text != Self.scriptSource, "\(path)")
        }
        // Every script that the page references is allowed.
        for tag in page.text.split(separator: "<script src=\"").dropFirst() {
            let path = tag.prefix { $0 != "\"" }
            #expect(scripts.contains("127.0.0.1:7070" + path), "\(path)")
        }
    }

    @Test(arguments: [
        "/assets/apps/../console.js", "/assets/apps/%2e%2e/console.js",
        "/assets/apps/js/..%2fconsole.js", "/assets/apps/js/public/x.js",
        "/assets/apps/js/x.js%00.css", "/assets/apps/js/x.js;.css",
        "/assets/apps/js/x.js/.css", "/assets/apps/js/x.js%5c.css",
        "/assets/apps/js/x.js?.css", "/assets/apps/js/x%2Ejs",
        "/assets/..;/apps/js/x.js", "/assets/apps/..;/js/x.js",
        "/assets/apps/js;/x.js", "/assets/apps;/js/x.js",
        "/assets/APPS/js/x.js", "/assets//apps/js/x.js",
        "/assets/apps/./js/x.js", "/assets/apps/js/%78.js",
    ]) func `no spelling of a URL serves an app's script`(address: String) async throws {
        let response = try await makeFixture().page(address)
        #expect(response.status == 400 || response.status == 404)
        #expect(response.text != Self.scriptSource)
    }

    @Test func `a screen runs one script and submits only to its own app`() async throws {
        let fixture = try await makeFixture()
        let device = await fixture.device()
        let host = "127.0.0.1:7070"
        for (page, start) in [
            ("/apps/js/join", "/apps/js/"),
            ("/devices/\(device)/apps/js/join", "/devices/\(device)/apps/js/"),
            ("/storyboard/mystica/login/default/frame", "/apps/mystica/"),
        ] {
            let response = await fixture.page(page)
            #expect(response.status == 200, "\(page)")
            // The template references its own script, which the policy does not allow.
            #expect(
                response.text.contains("<script src=\"/assets/apps/js/x.js\">")
                    == page.contains("/js/"), "\(page)")
            let policy = try #require(response.headers["Content-Security-Policy"])
            #expect(
                policy == """
                    default-src 'none'; \
                    script-src \(host)/assets/screen.js; \
                    style-src \(host)/assets/; \
                    img-src \(host)/assets/ data:; \
                    font-src \(host)/assets/; \
                    connect-src \(host)/assets/ \(host)\(start); \
                    form-action \(host)\(start); base-uri 'none'; \
                    frame-ancestors 'self'
                    """, "\(page)")
        }
    }

    @Test func `a screen in a frame cannot navigate the page around it`() async throws {
        let fixture = try await makeFixture()
        for page in ["/apps/js/join", "/storyboard/mystica/login/default/frame"] {
            let response = await fixture.ask(.get, page, headers: [("Sec-Fetch-Dest", "iframe")])
            let policy = try #require(response.headers["Content-Security-Policy"])
            let sandbox = try #require(policy.split(separator: "; ").last)
            #expect(
                sandbox == """
                    sandbox allow-scripts allow-same-origin allow-forms \
                    allow-popups allow-popups-to-escape-sandbox
                    """, "\(page)")
        }
    }
}
