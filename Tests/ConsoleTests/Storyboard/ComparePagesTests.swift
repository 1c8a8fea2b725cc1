import Core
import FoundationEssentials
import Support
import Testing
import Web

@testable import Console

@Suite(.timeLimit(.minutes(10))) struct ComparePagesTests {
    private static let url = "/storyboard/mystica-instant/compare"

    /// A folder with the sets `before` and `after` of an app.
    private func makeSets() throws -> TestFolder {
        let folder = TestFolder()
        var options = PictureOptions()
        options.apps = ["mystica-instant"]
        let sets: [(String, [(String, UInt8)])] = [
            ("before", [("map-default", 1), ("settings-default", 1), ("lost-default", 1)]),
            ("after", [("map-default", 2), ("settings-default", 1), ("splash-default", 1)]),
        ]
        for (name, pictures) in sets {
            let set = try PictureFolder(folder.path + "/" + name)
            try set.writeInfo(options, at: FrozenWorld.noon)
            for (name, content) in pictures {
                try set.write(TestFolder.png(content), "\(name).png")
            }
        }
        return folder
    }

    @Test func `the page lists the sets that have pictures of the app`() async throws {
        let folder = try makeSets()
        let fixture = try await FoyerFixture(pictures: folder.path)
        let page = await fixture.page(Self.url)
        #expect(page.status == 200)
        #expect(page.text.contains("2 picture sets"))
        #expect(page.text.contains("3 pictures, iPhone 15"))
        let other = await fixture.page("/storyboard/bob/compare")
        #expect(other.text.contains("No picture sets"))
    }

    @Test func `what differs comes first, then new, gone and unchanged pictures`() async throws {
        let folder = try makeSets()
        let fixture = try await FoyerFixture(pictures: folder.path)
        let page = await fixture.page(Self.url + "?before=before&after=after")
        #expect(page.text.contains("1 different, 1 new, 1 gone, 1 unchanged"))
        let items = page.text.split(separator: "data-testid=\"compare.item.").dropFirst().map {
            String($0.prefix { $0 != "\"" })
        }
        #expect(items == ["map-default", "splash-default", "lost-default"])
        #expect(page.text.contains("map, Default"))
    }

    @Test func `a stored picture is served, and nothing else`() async throws {
        let folder = try makeSets()
        let fixture = try await FoyerFixture(pictures: folder.path)
        let picture = Self.url + "/picture?set=before&name="
        let found = await fixture.page(picture + "map-default")
        #expect(found.status == 200)
        #expect(found.headers["Content-Type"] == "image/png")
        for name in ["none", "..%2Fafter%2Fmap-default", "pictures.json"] {
            await fixture.expectPage(picture + name, status: 404)
        }
        for set in ["..", ".", "%2Ftmp", "..%2Fbefore", ".current"] {
            await fixture.expectPage(Self.url + "?before=\(set)", status: 404)
            await fixture.expectPage(
                Self.url + "/picture?name=map-default&set=\(set)", status: 404)
            await fixture.expectPage(Self.url + "/delete?set=\(set)", status: 404)
        }
    }

    @Test func `a deleted set is gone, after a confirmation`() async throws {
        let folder = try makeSets()
        let fixture = try await FoyerFixture(pictures: folder.path)
        let question = await fixture.page(Self.url + "/delete?set=before")
        #expect(question.text.contains("Delete “before”?"))
        let deleted = await fixture.submit(Self.url + "/delete?set=before", [])
        #expect(deleted.location == Self.url)
        await fixture.expectPage(Self.url + "?before=before", status: 404)
        await fixture.expectPage(Self.url + "?before=after")
    }

    @Test(arguments: [
        "/storyboard/mystica/login/default/picture", "/storyboard/mystica/export.pdf",
        "/api/apps/mystica/states/login/default/picture", "/api/apps/mystica/storyboard.pdf",
        "/api/apps/mystica/accessibility",
    ]) func `without Chromium a download says how to install it`(url: String) async throws {
        let fixture = try await FoyerFixture()
        let response = await fixture.ask(.get, url)
        #expect(response.status == 503)
        #expect(response.json["detail"]?.string?.contains("apt-get install chromium") == true)
    }

    @Test func `without Chromium no pictures are taken, and stored ones are shown`() async throws {
        let folder = try makeSets()
        let fixture = try await FoyerFixture(pictures: folder.path)
        let page = await fixture.page(Self.url)
        #expect(page.text.contains("compare.chromium"))
        #expect(!page.text.contains("compare.take"))
        let taken = await fixture.submit(Self.url, [("name", "new")])
        #expect(taken.status == 503)
        #expect(await fixture.submit(Self.url + "/current", [("before", "before")]).status == 503)
    }

    @Test(arguments: [
        ("", 400), (".hidden", 400), ("a/b", 400), (String(repeating: "a", count: 81), 400),
        ("before", 409),
    ]) func `a name that a set cannot have is refused`(name: String, status: Int) async throws {
        let folder = try makeSets()
        let fixture = try await FoyerFixture(pictures: folder.path)
        let page = await fixture.submit(Self.url, [("name", name)])
        #expect(page.status == status)
        let call = await fixture.ask(
            .post, "/api/apps/mystica-instant/picture-sets", json: ["name": .string(name)])
        #expect(call.status == status)
    }

    @Test func `the API lists, compares and deletes sets`() async throws {
        let folder = try makeSets()
        let fixture = try await FoyerFixture(pictures: folder.path)
        let path = "/api/apps/mystica-instant/picture-sets"
        let list = await fixture.succeed(.get, path)
        #expect(list["items"]?.elements.map { $0["name"]?.string } == ["after", "before"])
        #expect(list["items"]?[0]?["pictures"] == 3)
        let comparison = await fixture.succeed(
            .post, path + "/before/compare", json: ["with": "after"])
        #expect(comparison["different"] == true)
        #expect(comparison["items"]?[0]?["name"] == "map-default")
        #expect(comparison["items"]?[0]?["status"] == "different")
        await fixture.succeed(.delete, path + "/before")
        #expect(await fixture.ask(.delete, path + "/before").status == 404)
        #expect(await fixture.ask(.post, path + "/before/compare").status == 404)
    }

    @Test func `a state of the accessibility report belongs to a screen`() async throws {
        let fixture = try await FoyerFixture()
        let path = "/api/apps/mystica/accessibility"
        #expect(await fixture.ask(.get, path + "?state=default").status == 400)
        #expect(await fixture.ask(.get, path + "?screen=none").status == 404)
        #expect(await fixture.ask(.get, path + "?screen=login&state=none").status == 404)
        #expect(await fixture.ask(.get, path + "?size=watch").status == 400)
    }
}
