import Backend
import Core
import Simulator
import Support
import Testing
import Web

@Suite(.timeLimit(.minutes(10))) struct SnapshotsAPITests {
    private func take(_ fixture: FoyerFixture, _ device: String, app: String? = nil) async -> JSON {
        await fixture.ask(
            .post, "/api/snapshots", json: ["name": "signed in", "app": JSON(app)],
            headers: [("X-Foyer-Device", device)]
        ).json
    }

    @Test func `device and server come back together, and a refresh works`() async throws {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        let snapshot = await take(fixture, device)
        let id = try #require(snapshot["id"]?.string)
        #expect(snapshot["apps"] == ["mystica"])
        let session = try await fixture.session()
        await fixture.succeed(.post, "/api/sessions/\(session)/refresh")
        let accounts = await fixture.ask(.get, "/api/accounts").json
        let account = accounts["items"]?[0]?["id"]?.string ?? ""
        await fixture.succeed(.delete, "/api/accounts/\(account)")
        let lost = await fixture.ask(.post, "/api/devices/\(device)/apps/mystica/relaunch")
        #expect(lost.json["screen"] == "login")

        let back = await fixture.ask(.post, "/api/snapshots/\(id)/restore")
        #expect(back.status == 200)
        #expect(back.json["note"]?.string?.contains("put back together") == true)
        #expect(
            back.json["note"]?.string?.contains("Mystica holds now is the one the server waits for")
                == true)
        let at = await fixture.ask(.get, "/api/devices/\(device)/apps/mystica")
        #expect(at.json["screen"] == "map")
        #expect(at.json["session"]?["id"]?.string == session)
        let refreshed = await fixture.ask(.post, "/api/sessions/\(session)/refresh")
        #expect(refreshed.json["state"] == "active")
        let events = fixture.hub.events(in: "main").map(\.kind)
        #expect(events.contains(.snapshotCreated))
        #expect(events.contains(.snapshotRestored))
    }

    @Test func `other devices that signed in since are told of`() async throws {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        let snapshot = await take(fixture, device)
        fixture.frozen.advance(by: 1)
        _ = try await fixture.registered("zoe@example.com")
        let back = await fixture.ask(
            .post, "/api/snapshots/\(snapshot["id"]?.string ?? "")/restore")
        #expect(back.json["note"]?.string?.contains("1 session of other devices") == true)
    }

    @Test(arguments: [true, false])
    func `whom the server knows is asked of it, not of a moved clock`(isKnown: Bool) async throws {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        // By the time of a snapshot either would be told the wrong way round.
        await fixture.succeed(.patch, "/api/clock", json: ["advance": isKnown ? 3_600 : -3_600])
        if isKnown { _ = try await fixture.registered("zoe@example.com") }
        let snapshot = await take(fixture, device)
        fixture.frozen.advance(by: 1)
        if !isKnown { _ = try await fixture.registered("zoe@example.com") }
        let back = await fixture.ask(
            .post, "/api/snapshots/\(snapshot["id"]?.string ?? "")/restore")
        let note = back.json["note"]?.string ?? ""
        #expect(note.contains("put back together"))
        #expect(note.contains("of other devices") == !isKnown)
    }

    @Test func `it is listed by name, read and deleted`() async throws {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        let id = await take(fixture, device)["id"]?.string ?? ""
        let list = await fixture.ask(.get, "/api/snapshots?name=signed%20in")
        #expect(list.json["total"] == 1)
        #expect(await fixture.ask(.get, "/api/snapshots?name=x").json["total"] == 0)
        let one = "/api/snapshots/\(id)"
        #expect(await fixture.ask(.get, one).json["name"] == "signed in")
        #expect(await fixture.ask(.delete, one).status == 204)
        for (method, path) in [(Web.Method.get, one), (.delete, one), (.post, one + "/restore")] {
            #expect(await fixture.ask(method, path).status == 404)
        }
        #expect(try await fixture.backend.snapshotIDs().isEmpty)
    }

    @Test(arguments: [
        (#"{}"#, "/name"), (#"{"name":"  "}"#, "/name"),
        (#"{"name":7}"#, "/name"), (#"{"name":"a\tb"}"#, "/name"),
        (#"{"name":"x","colour":1}"#, "/colour"),
        (#"{"name":"x","device":"dev_nobody"}"#, "/device"),
        (#"{"name":"x","app":"moon"}"#, "/app"),
    ]) func `a wrong field is named, and nothing is kept`(body: String, pointer: String)
        async throws
    {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        let refused = await fixture.ask(
            .post, "/api/snapshots", json: try JSON(parsing: body),
            headers: [("X-Foyer-Device", device)])
        #expect((400..<500).contains(refused.status))
        #expect(refused.json["errors"]?[0]?["pointer"]?.string == pointer)
        #expect(try await fixture.backend.snapshotIDs().isEmpty)
    }

    @Test func `a name too long and a device nobody named are refused`() async throws {
        let fixture = try await FoyerFixture()
        let long = String(repeating: "n", count: 81)
        let refused = await fixture.ask(.post, "/api/snapshots", json: ["name": .string(long)])
        #expect(refused.json["errors"]?[0]?["pointer"] == "/name")
        let nobody = await fixture.ask(.post, "/api/snapshots", json: ["name": "x"])
        #expect(nobody.status == 400)
        #expect(nobody.json["errors"]?[0]?["pointer"] == "/device")
    }

    @Test func `a half without its other is cleared away`() async throws {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        let whole = await take(fixture, device)["id"]?.string ?? ""
        try await fixture.backend.save(
            snapshot: "snap_orphan", contracts: ["mystica"], workspace: "main")
        let half = await take(fixture, device)["id"]?.string ?? ""
        try await fixture.backend.delete(snapshot: half)
        let refused = await fixture.ask(.post, "/api/snapshots/\(half)/restore")
        #expect(refused.status == 409)
        try await fixture.settleSnapshots()
        #expect(try await fixture.backend.snapshotIDs() == [whole])
        #expect(try await fixture.simulator.workspacesBySnapshot() == [whole: "main"])
    }

    @Test func `a moment is put back on the device alone, and says so`() async throws {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        let shown = try #require(fixture.hub.events(in: "main").last { $0.kind == .screenShown })
        let session = try await fixture.session()
        await fixture.succeed(.post, "/api/sessions/\(session)/refresh")
        let back = await fixture.ask(.post, "/api/events/\(shown.id)/restore")
        #expect(back.status == 200)
        #expect(back.json["device"]?.string == device)
        #expect(back.json["screen"] == "map")
        let note = back.json["note"]?.string ?? ""
        #expect(note.contains("device alone"))
        #expect(note.contains("generation 2"))
        let restored = try #require(
            fixture.hub.events(in: "main").last { $0.kind == .stateRestored })
        #expect(restored.cause == shown.id)
        // And so it is: the server takes it for stolen.
        let refreshed = await fixture.ask(.post, "/api/sessions/\(session)/refresh")
        #expect(refreshed.json["state"] == "revoked")
    }

    @Test func `an event that is none, or nobody's, is refused`() async throws {
        let fixture = try await FoyerFixture()
        for id in ["0", "-1", "x", "999999", "1e3"] {
            let refused = await fixture.ask(.post, "/api/events/\(id)/restore")
            #expect(refused.status == 404, "\(id)")
        }
        await fixture.succeed(.post, "/api/accounts", json: ["app": "bob"])
        let added = try #require(fixture.hub.events(in: "main").last)
        let nobody = await fixture.ask(.post, "/api/events/\(added.id)/restore")
        #expect(nobody.status == 409)
    }
}
