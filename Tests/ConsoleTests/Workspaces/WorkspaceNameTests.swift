import Support
import Testing
import Web

@testable import Console

/// Valid names of workspaces, and how the page's form reports invalid ones.
@Suite(.timeLimit(.minutes(10))) struct WorkspaceNameTests {
    private func submit(_ label: String, _ fixture: FoyerFixture) async -> (
        status: Int, location: String?, text: String
    ) {
        await fixture.submit("/workspaces", [("label", label), ("ttl", "86400")])
    }

    @Test func `a too long name is reported at its field and the input is preserved`() async throws
    {
        let fixture = try await FoyerFixture()
        let name = String(repeating: "漢", count: 40)
        let page = await submit(name, fixture)
        #expect(page.status == 422)
        #expect(
            page.text.contains("The name is too long: 120 bytes (max 80).")
        )
        #expect(page.text.contains("value=\"\(name)\""))
        #expect(page.text.contains("value=\"86400\" selected"))
        #expect(page.text.contains("workspaces.row"))
        #expect(await fixture.ask(.get, "/api/workspaces").json["total"] == 1)
    }

    @Test(arguments: ["main", " main ", "Main"])
    func `no other workspace can take the name of the main workspace`(name: String) async throws {
        let fixture = try await FoyerFixture()
        let page = await submit(name, fixture)
        #expect(page.status == 422)
        #expect(page.text.contains("reserved for the main workspace"))
        let created = await fixture.ask(.post, "/api/workspaces", json: ["label": .string(name)])
        #expect(created.status == 400)
        #expect(created.json["errors"]?[0]?["pointer"] == "/label")
        let other = await fixture.ask(.post, "/api/workspaces")
        let id = try #require(other.json["id"]?.string)
        let renamed = await fixture.ask(
            .patch, "/api/workspaces/\(id)", json: ["label": .string(name)])
        #expect(renamed.status == 400)
    }

    @Test func `a renamed main workspace reserves both of its names`() async throws {
        let fixture = try await FoyerFixture()
        let home = await fixture.ask(.patch, "/api/workspaces/main", json: ["label": "Home"])
        #expect(home.status == 200)
        #expect(await submit("home", fixture).status == 422)
        #expect(await submit("main", fixture).status == 422)
        let back = await fixture.ask(.patch, "/api/workspaces/main", json: ["label": "main"])
        #expect(back.status == 200)
        for _ in 0..<2 { #expect(await submit("twice", fixture).status == 303) }
    }
}
