import FoundationEssentials
import Support
import Testing
import Web

@testable import Console
@testable import DesignTokens

@Suite(.timeLimit(.minutes(10))) final class DesignTokensPagesTests {
    private static let sheet = """
        /* A seventh app; its colours are its own. */
        @import url("/assets/stock.css");

        :root { --page: light-dark(#fff, #000); /* kept */
          --ink: #777; --tall: 50px; --brand: "A B", sans-serif }
        @media (max-width: 340px) { :root { --tall: 44px; } }

        body { color: var(--ink); background: var(--page); }\n
        """

    private let folder =
        FileManager.default.temporaryDirectory.path + "/foyer-design-tokens-\(UUID().uuidString)"

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// Creates a folder with one app, `seventh`, whose manifest is copied from another app.
    private func apps() throws -> String {
        let files = FileManager.default
        try files.createDirectory(
            atPath: folder + "/seventh/public", withIntermediateDirectories: true)
        for entry in try files.contentsOfDirectory(
            atPath: FoyerFixture.root + "/templates/apps/wall")
        where entry == "app.json5" {
            try files.copyItem(
                atPath: FoyerFixture.root + "/templates/apps/wall/" + entry,
                toPath: folder + "/seventh/" + entry)
        }
        try Data(Self.sheet.utf8).write(to: URL(filePath: folder + "/seventh/public/app.css"))
        return folder
    }

    private func text(_ folder: String) throws -> String {
        String(
            decoding: try Data(contentsOf: URL(filePath: folder + "/seventh/public/app.css")),
            as: UTF8.self)
    }

    private func digest(_ page: String) -> String {
        String(page.split(separator: "name=\"digest\" value=\"")[1].prefix { $0 != "\"" })
    }

    private let tokensURL = "/storyboard/seventh/tokens"

    @Test func `the API reads the tokens and saves values with the current digest`() async throws {
        let folder = try apps()
        let fixture = try await FoyerFixture(apps: folder)
        let path = "/api/apps/seventh/design-tokens"
        let tokens = await fixture.ask(.get, path).json
        let page = tokens["tokens"]?.elements.first { $0["name"] == "--page" }
        #expect(page?["light"] == "#fff")
        #expect(page?["dark"] == "#000")
        #expect(page?["kind"] == "color")
        #expect(page?["uses"]?.elements.contains { $0["selector"] == "body" } == true)
        #expect(tokens["contrast"]?[0]?["lightRatio"]?.number != nil)
        let digest = try #require(tokens["digest"])
        func save(_ values: JSON, _ digest: JSON) async -> (status: Int, json: JSON) {
            let response = await fixture.ask(
                .patch, path, json: ["digest": digest, "values": values])
            return (response.status, response.json)
        }
        let invalid = await save(["--ink": "12px"], digest)
        #expect(invalid.status == 422)
        #expect(invalid.json["errors"]?[0]?["pointer"] == "/values/--ink")
        #expect(await save(["--none": "#111"], digest).status == 400)
        #expect(await save(["--ink": "#111"], "stale").status == 409)
        let saved = await save(["--ink": "#111"], digest)
        #expect(saved.json["savedIn"] == ["app.css"])
        #expect(try text(folder).contains("--ink: #111"))
        #expect(await save(["--ink": "#222"], digest).status == 409)
    }

    @Test func `only one of several concurrent saves succeeds`() async throws {
        let folder = try apps()
        let fixture = try await FoyerFixture(apps: folder)
        let device = await fixture.device()
        let digest = digest(await fixture.page(tokensURL).text)
        let saves = await withTaskGroup(of: Int.self) { group in
            for ink in ["#111", "#222", "#333", "#444"] {
                group.addTask { [tokensURL] in
                    await fixture.submit(
                        tokensURL, [("digest", digest), ("--ink", ink), ("was--ink", "#777")],
                        device: device
                    ).status
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(saves.sorted() == [303, 409, 409, 409])
        let files = try FileManager.default.contentsOfDirectory(atPath: folder + "/seventh/public")
        #expect(files == ["app.css"])
    }

    @Test func `tokens are shown by kind with their contrast`() async throws {
        let fixture = try await FoyerFixture(apps: try apps())
        let page = await fixture.page(tokensURL)
        #expect(page.status == 200)
        for expected in [
            "Colors", "Sizes", "Type", "design.token.page", "#777777",
            "4.48", "AA for large text only", "@media (max-width: 340px)",
            "design.value.tall",
        ] {
            #expect(page.text.contains(expected), "\(expected)")
        }
        #expect(await fixture.page("/storyboard/nowhere/tokens").status == 404)
        #expect(await fixture.page(tokensURL + "?--nothing=1").status == 400)
    }

    @Test func `only the changed values are written`() async throws {
        let folder = try apps()
        let fixture = try await FoyerFixture(apps: folder)
        let page = await fixture.page(tokensURL)
        let saved = await fixture.submit(
            tokensURL,
            [
                ("digest", digest(page.text)), ("--ink", "#767676"),
                ("was--ink", "#777"), ("--tall", "50px"),
                ("was--tall", "50px"),
            ], device: await fixture.device())
        #expect(saved.status == 303)
        #expect(try text(folder) == Self.sheet.replacing("--ink: #777;", with: "--ink: #767676;"))
        let after = await fixture.page(saved.location ?? "")
        #expect(after.text.contains("1 value saved"))
        #expect(after.text.contains("4.54"))
    }

    @Test func `a token of another style sheet is overridden in the app's own`() async throws {
        let folder = try apps()
        let fixture = try await FoyerFixture(apps: folder)
        let page = await fixture.page(tokensURL)
        let saved = await fixture.submit(
            tokensURL,
            [("digest", digest(page.text)), ("--danger", "#900"), ("was--danger", "#d70015")],
            device: await fixture.device())
        #expect(saved.status == 303)
        #expect(
            try text(folder)
                == Self.sheet.replacing("sans-serif }", with: "sans-serif; --danger: #900; }"))
    }

    @Test(arguments: [
        "red; } body { display: none", "12px", "", "var(--ink)", "</style>", "var(--nowhere)",
    ]) func `an invalid value is rejected with the name of its token`(value: String) async throws {
        let folder = try apps()
        let fixture = try await FoyerFixture(apps: folder)
        let page = await fixture.page(tokensURL)
        let response = await fixture.submit(
            tokensURL,
            [
                ("digest", digest(page.text)), ("--ink", value),
                ("was--ink", "#777"), ("--tall", "51px"),
                ("was--tall", "50px"),
            ])
        #expect(response.status == 422)
        #expect(response.text.contains("design.error.ink"))
        #expect(response.text.contains("value=\"51px\""))
        #expect(try text(folder) == Self.sheet)
    }

    @Test(arguments: [
        ("tall", "red", "not a length"), ("tall", "12", "not a length"),
        ("brand", "123", "not a list of fonts"),
    ]) func `the value of a token cannot change its kind`(
        name: String, value: String, reason: String
    )
        async throws
    {
        let folder = try apps()
        let fixture = try await FoyerFixture(apps: folder)
        let page = await fixture.page(tokensURL)
        let response = await fixture.submit(
            tokensURL, [("digest", digest(page.text)), ("--" + name, value), ("was--" + name, "")])
        #expect(response.status == 422)
        #expect(response.text.contains(reason))
        #expect(try text(folder) == Self.sheet)
    }

    @Test func `a style sheet changed in the meantime is not overwritten`() async throws {
        let folder = try apps()
        let fixture = try await FoyerFixture(apps: folder)
        let page = await fixture.page(tokensURL)
        let other = Self.sheet.replacing("50px", with: "60px")
        try Data(other.utf8).write(to: URL(filePath: folder + "/seventh/public/app.css"))
        let fields = [
            ("--ink", "#767676"), ("was--ink", "#777"), ("--tall", "50px"), ("was--tall", "50px"),
        ]
        let response = await fixture.submit(tokensURL, [("digest", digest(page.text))] + fields)
        #expect(response.status == 409)
        #expect(response.text.contains("value=\"#767676\""))
        #expect(response.text.contains("value=\"60px\""))
        #expect(try text(folder) == other)
        let again = await fixture.submit(tokensURL, [("digest", digest(response.text))] + fields)
        #expect(again.status == 303)
        #expect(try text(folder) == other.replacing("--ink: #777;", with: "--ink: #767676;"))
    }

    @Test func `a preview shows the changes and saves nothing`() async throws {
        let folder = try apps()
        let fixture = try await FoyerFixture(apps: folder)
        let preview = await fixture.submit(
            tokensURL + "/preview", [("--ink", "#000"), ("was--ink", "#777")],
            device: await fixture.device())
        #expect(preview.location == tokensURL + "?--ink=%23000")
        let page = await fixture.page(preview.location ?? "")
        #expect(page.text.contains("21.00"))
        #expect(page.text.contains("Not saved yet"))
        #expect(try text(folder) == Self.sheet)
    }

    @Test func `the CSS and JSON exports contain the tokens`() async throws {
        let fixture = try await FoyerFixture(apps: try apps())
        let css = await fixture.page(tokensURL + ".css")
        #expect(css.headers["Content-Disposition"] == "attachment; filename=\"seventh.css\"")
        #expect(css.text.contains("--page: light-dark(#fff, #000);"))
        #expect(css.text.contains("@media (max-width: 340px)"))
        let read = try StyleSheet(Array(css.text.utf8))
        #expect(read.rules[0].selector == ":root")
        let json = await fixture.ask(.get, tokensURL + ".json")
        #expect(
            json.headers["Content-Disposition"] == "attachment; filename=\"seventh.tokens.json\"")
        let light = try #require(json.json["light"])
        #expect(light["color"]?["$type"]?.string == "color")
        #expect(light["color"]?["page"]?["$value"]?["hex"]?.string == "#ffffff")
        #expect(json.json["dark"]?["color"]?["page"]?["$value"]?["hex"]?.string == "#000000")
        #expect(light["dimension"]?["tall"]?["$value"]?["unit"]?.string == "px")
        #expect(light["fontFamily"]?["brand"]?["$value"]?[0]?.string == "A B")
        #expect(light["$extensions"]?["foyer.css"]?["--field"]?.string == "calc(32px + 2.2rem)")
    }

    @Test(arguments: ["bob", "clarity", "mystica", "mystica-instant", "socoto", "wall"])
    func `every app has a page of design tokens`(app: String) async throws {
        let fixture = try await FoyerFixture()
        let page = await fixture.page("/storyboard/\(app)/tokens")
        #expect(page.status == 200)
        #expect(page.text.contains("design.token.page"))
        #expect(page.text.contains("data-pair"))
        #expect(!page.text.contains("design.unreadable"))
    }
}
