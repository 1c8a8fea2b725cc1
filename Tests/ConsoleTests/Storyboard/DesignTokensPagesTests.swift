import FoundationEssentials
import Support
import Testing
import Web

@testable import Console

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
        FileManager.default.temporaryDirectory.path + "/foyer-look-\(UUID().uuidString)"

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// The folder, of one app, `seventh`, whose manifest is another app's.
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

    private let look = "/storyboard/seventh/look"

    @Test func `of two tabs that save at once the second is told`() async throws {
        let folder = try apps()
        let fixture = try await FoyerFixture(apps: folder)
        let device = await fixture.device()
        let digest = digest(await fixture.page(look).text)
        let saves = await withTaskGroup(of: Int.self) { group in
            for ink in ["#111", "#222", "#333", "#444"] {
                group.addTask { [look] in
                    await fixture.submit(
                        look, [("digest", digest), ("--ink", ink), ("was--ink", "#777")],
                        device: device
                    ).status
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(saves.sorted() == [303, 409, 409, 409])
        let left = try FileManager.default.contentsOfDirectory(atPath: folder + "/seventh/public")
        #expect(left == ["app.css"])
    }

    @Test func `tokens are shown by kind with their contrast`() async throws {
        let fixture = try await FoyerFixture(apps: try apps())
        let page = await fixture.page(look)
        #expect(page.status == 200)
        for said in [
            "Colours", "Lengths", "Type", "look.token.page", "#777777",
            "4.48", "AA for large text only", "@media (max-width: 340px)",
            "look.value.tall",
        ] {
            #expect(page.text.contains(said), "\(said)")
        }
        #expect(await fixture.page("/storyboard/nowhere/look").status == 404)
        #expect(await fixture.page(look + "?--nothing=1").status == 400)
    }

    @Test func `only the changed values are written`() async throws {
        let folder = try apps()
        let fixture = try await FoyerFixture(apps: folder)
        let page = await fixture.page(look)
        let saved = await fixture.submit(
            look,
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

    @Test func `what another sheet says is said anew in the app's own`() async throws {
        let folder = try apps()
        let fixture = try await FoyerFixture(apps: folder)
        let page = await fixture.page(look)
        let saved = await fixture.submit(
            look,
            [("digest", digest(page.text)), ("--danger", "#900"), ("was--danger", "#d70015")],
            device: await fixture.device())
        #expect(saved.status == 303)
        #expect(
            try text(folder)
                == Self.sheet.replacing("sans-serif }", with: "sans-serif; --danger: #900; }"))
    }

    @Test(arguments: [
        "red; } body { display: none", "12px", "", "var(--ink)", "</style>", "var(--nowhere)",
    ]) func `a value that cannot stand there is refused by name`(value: String) async throws {
        let folder = try apps()
        let fixture = try await FoyerFixture(apps: folder)
        let page = await fixture.page(look)
        let answer = await fixture.submit(
            look,
            [
                ("digest", digest(page.text)), ("--ink", value),
                ("was--ink", "#777"), ("--tall", "51px"),
                ("was--tall", "50px"),
            ])
        #expect(answer.status == 422)
        #expect(answer.text.contains("look.error.ink"))
        #expect(answer.text.contains("value=\"51px\""))
        #expect(try text(folder) == Self.sheet)
    }

    @Test(arguments: [
        ("tall", "red", "it is no length"), ("tall", "12", "it is no length"),
        ("brand", "123", "it is no list of fonts"),
    ]) func `a value stays of the kind it was`(name: String, value: String, reason: String)
        async throws
    {
        let folder = try apps()
        let fixture = try await FoyerFixture(apps: folder)
        let page = await fixture.page(look)
        let answer = await fixture.submit(
            look, [("digest", digest(page.text)), ("--" + name, value), ("was--" + name, "")])
        #expect(answer.status == 422)
        #expect(answer.text.contains(reason))
        #expect(try text(folder) == Self.sheet)
    }

    @Test func `a sheet that changed meanwhile is not written over`() async throws {
        let folder = try apps()
        let fixture = try await FoyerFixture(apps: folder)
        let page = await fixture.page(look)
        let other = Self.sheet.replacing("50px", with: "60px")
        try Data(other.utf8).write(to: URL(filePath: folder + "/seventh/public/app.css"))
        let fields = [
            ("--ink", "#767676"), ("was--ink", "#777"), ("--tall", "50px"), ("was--tall", "50px"),
        ]
        let answer = await fixture.submit(look, [("digest", digest(page.text))] + fields)
        #expect(answer.status == 409)
        #expect(answer.text.contains("value=\"#767676\""))
        #expect(answer.text.contains("value=\"60px\""))
        #expect(try text(folder) == other)
        let again = await fixture.submit(look, [("digest", digest(answer.text))] + fields)
        #expect(again.status == 303)
        #expect(try text(folder) == other.replacing("--ink: #777;", with: "--ink: #767676;"))
    }

    @Test func `a preview comes back with the changes and saves nothing`() async throws {
        let folder = try apps()
        let fixture = try await FoyerFixture(apps: folder)
        let preview = await fixture.submit(
            look + "/preview", [("--ink", "#000"), ("was--ink", "#777")],
            device: await fixture.device())
        #expect(preview.location == look + "?--ink=%23000")
        let page = await fixture.page(preview.location ?? "")
        #expect(page.text.contains("21.00"))
        #expect(page.text.contains("Nothing is saved yet"))
        #expect(try text(folder) == Self.sheet)
    }

    @Test func `the exports hold every token`() async throws {
        let fixture = try await FoyerFixture(apps: try apps())
        let css = await fixture.page(look + ".css")
        #expect(css.headers["Content-Disposition"] == "attachment; filename=\"seventh.css\"")
        #expect(css.text.contains("--page: light-dark(#fff, #000);"))
        #expect(css.text.contains("@media (max-width: 340px)"))
        let read = try StyleSheet(css.text)
        #expect(read.rules[0].selector == ":root")
        let json = await fixture.ask(.get, look + ".json")
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
    func `every app has its look`(app: String) async throws {
        let fixture = try await FoyerFixture()
        let page = await fixture.page("/storyboard/\(app)/look")
        #expect(page.status == 200)
        #expect(page.text.contains("look.token.page"))
        #expect(page.text.contains("data-pair"))
        #expect(!page.text.contains("look.unread"))
    }
}
