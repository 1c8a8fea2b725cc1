import FoundationEssentials
import Support
import Testing
import Web

@testable import Console

/// Lists exported as HTTP Archives: their order, and their import.
@Suite(.timeLimit(.minutes(10))) struct ArchiveTests {
    /// The paths of an archive's entries, in its order.
    private func paths(_ archive: JSON) -> [String] {
        guard case .array(let entries)? = archive["log"]?["entries"] else { return [] }
        return entries.compactMap { entry in
            entry["request"]?["url"]?.string?.split(separator: "/").last.map(String.init)
        }
    }

    @Test(arguments: ["/traffic/har?app=mystica", "/api/exchanges?format=har"])
    func `an archive begins with the oldest exchange`(address: String) async throws {
        let fixture = try await FoyerFixture()
        _ = try await fixture.registered()
        let archive = await fixture.ask(.get, address)
        #expect(archive.status == 200)
        #expect(paths(archive.json).first == "register")
        #expect(paths(archive.json).last == "me")
    }

    @Test func `the API's archive has the filters and the limit of its list`() async throws {
        let fixture = try await FoyerFixture()
        _ = try await fixture.registered()
        let me = await fixture.ask(.get, "/api/exchanges?format=har&call=me&limit=1")
        #expect(paths(me.json) == ["me"])
        let other = await fixture.ask(.get, "/api/exchanges?format=pcap")
        #expect(other.status == 400)
        #expect(other.json["errors"]?[0]?["parameter"] == "format")
    }

    @Test func `an exported archive is imported in the order of sending`() async throws {
        let fixture = try await FoyerFixture()
        _ = try await fixture.registered()
        fixture.frozen.advance(by: 5)
        await fixture.submitSuccessfully(
            "/apps/mystica/login/submit",
            [("email", "nora@example.com"), ("password", "wrong horse")],
            device: await fixture.device())
        let archive = await fixture.ask(.get, "/api/exchanges?format=har&limit=2").json
        let before = paths(archive)
        #expect(before == ["me", "login"])
        guard case .array(let entries)? = archive["log"]?["entries"] else {
            Issue.record("there are no entries")
            return
        }
        // Other tools and earlier versions of Foyer write the newest exchange first.
        let imported = await fixture.ask(
            .post, "/api/exchanges/import",
            json: ["log": ["version": "1.2", "entries": .array(entries.reversed())]]
        ).json
        let first = try #require(imported["exchanges"]?[0]?.string)
        let newest = await fixture.ask(.get, "/api/exchanges/\(first)").json
        #expect(newest["url"] == entries.last?["request"]?["url"])
        let list = await fixture.ask(.get, "/api/exchanges?cause=imported").json
        guard case .array(let items)? = list["items"] else {
            Issue.record("there are no items")
            return
        }
        let after = items.reversed().compactMap { item in
            item["url"]?.string?.split(separator: "/").last.map(String.init)
        }
        #expect(after == before)
    }
}
