import FoundationEssentials
import Support
import Testing
import Web

/// What an app's folder may do at the console's origin: be looked at.
@Suite(.timeLimit(.minutes(10))) final class AppFilesTests {
    private let folder =
        FileManager.default.temporaryDirectory.path + "/app-files-\(UUID().uuidString)"

    private static let manifest = """
        {
          name: 'Harbour', order: 9, appearance: 'system',
          look: { glyph: 'H', ground: '#112233', letter: '#FFFFFF',
                  cover: '#112233', glow: '#334455' },
          backends: { local: { base: 'http://127.0.0.1:9' } },
          network: { messages: {
            offline: 'a', timeout: 'b', connection: 'c',
            invalidResponse: 'd', server: 'e' } },
          storage: { pass: { area: 'keychain', holds: 'accessToken' } },
          calls: { join: {
            request: { method: 'POST', path: '/join' },
            success: { capture: { accessToken: '/pass' } } } },
          session: { lost: { clear: ['keychain'], go: 'join' } },
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

    /// What no file of an app may be answered as.
    private static let program = "document.title = 'taken';"

    /// An app called `js`, with every kind of file, in a folder of its own.
    private func house() async throws -> FoyerFixture {
        try write("js/app.json5", Self.manifest)
        try write("js/join.mustache", "<script src=\"/assets/apps/js/x.js\">")
        for name in [
            "x.js", "x.mjs", "x.JS", "x.html", "x.xhtml", "x.xml", "x.json", "x.txt", "x.wasm", "x",
            "console.js", "x.css.js",
        ] { try write("js/public/" + name, Self.program) }
        try write("console.js", Self.program)
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

    @Test func `an app has style sheets, images and fonts and no other files`() async throws {
        let fixture = try await house()
        for name in ["app.css", "cover.svg", "x.png", "x.woff2"] {
            let answer = await fixture.page("/assets/apps/js/" + name)
            #expect(answer.status == 200, "\(name)")
            #expect(answer.headers["X-Content-Type-Options"] == "nosniff", "\(name)")
        }
        for name in [
            "x.js", "x.mjs", "x.JS", "x.html", "x.xhtml", "x.xml", "x.json", "x.txt", "x.wasm", "x",
            "console.js", "x.css.js",
        ] {
            let answer = await fixture.page("/assets/apps/js/" + name)
            #expect(answer.status == 404, "\(name)")
            #expect(answer.text.contains("no style sheet, image or font"), "\(name)")
        }
    }

    @Test func `an app's drawing runs nothing when it is opened as a page`() async throws {
        let fixture = try await house()
        for path in ["js/cover.svg", "js/app.css", "mystica/cover.svg"] {
            let answer = await fixture.page("/assets/apps/" + path)
            #expect(
                answer.headers.all("Content-Security-Policy") == [ContentSecurityPolicy.appFile],
                "\(path)")
            #expect(answer.headers.all("Cross-Origin-Opener-Policy") == ["unsafe-none"], "\(path)")
        }
        #expect(ContentSecurityPolicy.appFile.hasSuffix("; sandbox"))
        #expect(!ContentSecurityPolicy.appFile.contains("script"))
        let ours = await fixture.page("/assets/icons.svg")
        #expect(ours.headers["Content-Security-Policy"] == ContentSecurityPolicy.nonPage)
    }

    @Test func `a page runs the console's scripts, each by its address`() async throws {
        let fixture = try await house()
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
            let answer = await fixture.page(path)
            #expect(answer.status == 200, "\(path)")
            #expect(answer.text != Self.program, "\(path)")
        }
        // What a page of ours names is what it may run.
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
    ]) func `no spelling of an address leads to an app's program`(address: String) async throws {
        let answer = try await house().page(address)
        #expect(answer.status == 400 || answer.status == 404)
        #expect(answer.text != Self.program)
    }

    @Test func `a screen runs one script and sends to its own app alone`() async throws {
        let fixture = try await house()
        let device = await fixture.device()
        let host = "127.0.0.1:7070"
        for (page, start) in [
            ("/apps/js/join", "/apps/js/"),
            ("/devices/\(device)/apps/js/join", "/devices/\(device)/apps/js/"),
            ("/storyboard/mystica/login/default/frame", "/apps/mystica/"),
        ] {
            let answer = await fixture.page(page)
            #expect(answer.status == 200, "\(page)")
            // The template's own script is asked for, and not allowed.
            #expect(
                answer.text.contains("<script src=\"/assets/apps/js/x.js\">")
                    == page.contains("/js/"), "\(page)")
            let policy = try #require(answer.headers["Content-Security-Policy"])
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

    @Test func `a screen in a frame cannot replace the page around it`() async throws {
        let fixture = try await house()
        for page in ["/apps/js/join", "/storyboard/mystica/login/default/frame"] {
            let answer = await fixture.ask(.get, page, headers: [("Sec-Fetch-Dest", "iframe")])
            let policy = try #require(answer.headers["Content-Security-Policy"])
            let sandbox = try #require(policy.split(separator: "; ").last)
            #expect(
                sandbox == """
                    sandbox allow-scripts allow-same-origin allow-forms \
                    allow-popups allow-popups-to-escape-sandbox
                    """, "\(page)")
        }
    }
}
