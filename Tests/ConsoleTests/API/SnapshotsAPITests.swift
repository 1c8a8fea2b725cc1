import Backend
import Core
import Simulator
import Support
import Testing
import Web
import Workspaces

@Suite(.timeLimit(.minutes(10))) struct SnapshotsAPITests {
    private func takeSnapshot(_ fixture: FoyerFixture, _ device: String, app: String? = nil) async
        -> JSON
    {
        await fixture.ask(
            .post, "/api/snapshots", json: ["name": "signed in", "app": JSON(app)],
            headers: [("X-Foyer-Device", device)]
        ).json
    }

    @Test func `a restore brings back device and server, and a refresh works`() async throws {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        let snapshot = await takeSnapshot(fixture, device)
        let id = try #require(snapshot["id"]?.string)
        #expect(snapshot["apps"] == ["mystica"])
        let session = try await fixture.session()
        await fixture.succeed(.post, "/api/sessions/\(session)/refresh")
        let accounts = await fixture.ask(.get, "/api/accounts").json
        let account = accounts["items"]?[0]?["id"]?.string ?? ""
        await fixture.succeed(.delete, "/api/accounts/\(account)")
        let relaunched = await fixture.ask(.post, "/api/devices/\(device)/apps/mystica/relaunch")
        #expect(relaunched.json["screen"] == "login")

        let restore = await fixture.ask(.post, "/api/snapshots/\(id)/restore")
        #expect(restore.status == 200)
        #expect(restore.json["note"]?.string?.contains("restored together") == true)
        #expect(
            restore.json["note"]?.string?.contains(
                "Mystica's refresh token is current on the server")
                == true)
        let appState = await fixture.ask(.get, "/api/devices/\(device)/apps/mystica")
        #expect(appState.json["screen"] == "map")
        #expect(appState.json["session"]?["id"]?.string == session)
        let refreshed = await fixture.ask(.post, "/api/sessions/\(session)/refresh")
        #expect(refreshed.json["state"] == "active")
        let events = fixture.hub.events(in: "main").map(\.kind)
        #expect(events.contains(.snapshotCreated))
        #expect(events.contains(.snapshotRestored))
    }

    @Test func `a restore reports other devices that signed in since`() async throws {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        let snapshot = await takeSnapshot(fixture, device)
        fixture.frozen.advance(by: 1)
        _ = try await fixture.registered("zoe@example.com")
        let restore = await fixture.ask(
            .post, "/api/snapshots/\(snapshot["id"]?.string ?? "")/restore")
        #expect(restore.json["note"]?.string?.contains("1 session on other devices") == true)
    }

    @Test func `a session that a comparison found revoked is still reported`() async throws {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        let id = await takeSnapshot(fixture, device)["id"]?.string ?? ""
        fixture.frozen.advance(by: 1)
        _ = try await fixture.registered("zoe@example.com")
        await fixture.succeed(.post, "/api/snapshots/\(id)/restore")
        // The list waits for the comparisons that the restore caused.
        let revoked = await fixture.ask(.get, "/api/sessions?state=revoked")
        #expect(revoked.json["items"]?[0] != nil)
        let snapshot = try #require(try await fixture.simulator.snapshot(id, in: "main"))
        let note = try await fixture.snapshots.note(afterRestoring: snapshot)
        #expect(note.contains("1 session on other devices"))
    }

    @Test(arguments: [true, false])
    func `the note of a restore does not depend on a moved clock`(isKnown: Bool) async throws {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        // Comparing with the snapshot's time would get both cases wrong.
        await fixture.succeed(.patch, "/api/clock", json: ["advance": isKnown ? 3_600 : -3_600])
        if isKnown { _ = try await fixture.registered("zoe@example.com") }
        let snapshot = await takeSnapshot(fixture, device)
        fixture.frozen.advance(by: 1)
        if !isKnown { _ = try await fixture.registered("zoe@example.com") }
        let restore = await fixture.ask(
            .post, "/api/snapshots/\(snapshot["id"]?.string ?? "")/restore")
        let note = restore.json["note"]?.string ?? ""
        #expect(note.contains("restored together"))
        #expect(note.contains("on other devices") == !isKnown)
    }

    @Test func `a snapshot is listed by name, read and deleted`() async throws {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        let id = await takeSnapshot(fixture, device)["id"]?.string ?? ""
        let list = await fixture.ask(.get, "/api/snapshots?name=signed%20in")
        #expect(list.json["total"] == 1)
        #expect(await fixture.ask(.get, "/api/snapshots?name=x").json["total"] == 0)
        let path = "/api/snapshots/\(id)"
        #expect(await fixture.ask(.get, path).json["name"] == "signed in")
        #expect(await fixture.ask(.delete, path).status == 204)
        for (method, path) in [(Web.Method.get, path), (.delete, path), (.post, path + "/restore")]
        {
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
    ]) func `an invalid field is named and nothing is stored`(body: String, pointer: String)
        async throws
    {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        let rejected = await fixture.ask(
            .post, "/api/snapshots", json: try JSON(parsing: body),
            headers: [("X-Foyer-Device", device)])
        #expect((400..<500).contains(rejected.status))
        #expect(rejected.json["errors"]?[0]?["pointer"]?.string == pointer)
        #expect(try await fixture.backend.snapshotIDs().isEmpty)
    }

    @Test func `a too long name and a missing device are rejected`() async throws {
        let fixture = try await FoyerFixture()
        let long = String(repeating: "n", count: 81)
        let rejected = await fixture.ask(.post, "/api/snapshots", json: ["name": .string(long)])
        #expect(rejected.json["errors"]?[0]?["pointer"] == "/name")
        let withoutDevice = await fixture.ask(.post, "/api/snapshots", json: ["name": "x"])
        #expect(withoutDevice.status == 400)
        #expect(withoutDevice.json["errors"]?[0]?["pointer"] == "/device")
    }

    @Test func `incomplete snapshots are deleted at start`() async throws {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        let complete = await takeSnapshot(fixture, device)["id"]?.string ?? ""
        try await fixture.backend.save(
            snapshot: "snap_orphan", contracts: ["mystica"], workspace: "main")
        let incomplete = await takeSnapshot(fixture, device)["id"]?.string ?? ""
        try await fixture.backend.delete(snapshot: incomplete)
        let rejected = await fixture.ask(.post, "/api/snapshots/\(incomplete)/restore")
        #expect(rejected.status == 409)
        try await fixture.snapshots.recover()
        #expect(try await fixture.backend.snapshotIDs() == [complete])
        #expect(try await fixture.simulator.workspacesBySnapshot() == [complete: "main"])
    }

    @Test func `restoring an event changes only the device and says so`() async throws {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        let shown = try #require(fixture.hub.events(in: "main").last { $0.kind == .screenShown })
        let session = try await fixture.session()
        await fixture.succeed(.post, "/api/sessions/\(session)/refresh")
        let restore = await fixture.ask(.post, "/api/events/\(shown.id)/restore")
        #expect(restore.status == 200)
        #expect(restore.json["device"]?.string == device)
        #expect(restore.json["screen"] == "map")
        let note = restore.json["note"]?.string ?? ""
        #expect(note.contains("Only the device was restored"))
        #expect(note.contains("generation 2"))
        let restored = try #require(
            fixture.hub.events(in: "main").last { $0.kind == .stateRestored })
        #expect(restored.cause == shown.id)
        // The server treats the restored refresh token as stolen.
        let refreshed = await fixture.ask(.post, "/api/sessions/\(session)/refresh")
        #expect(refreshed.json["state"] == "revoked")
    }

    @Test func `an unknown event and one without a device are rejected`() async throws {
        let fixture = try await FoyerFixture()
        for id in ["0", "-1", "x", "999999", "1e3"] {
            let rejected = await fixture.ask(.post, "/api/events/\(id)/restore")
            #expect(rejected.status == 404, "\(id)")
        }
        await fixture.succeed(.post, "/api/accounts", json: ["app": "bob"])
        let added = try #require(fixture.hub.events(in: "main").last)
        let withoutDevice = await fixture.ask(.post, "/api/events/\(added.id)/restore")
        #expect(withoutDevice.status == 409)
    }
}
