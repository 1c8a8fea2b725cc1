import Support
import Testing
import Traffic
import Web

@Suite(.timeLimit(.minutes(10))) struct FaultsAPITests {
    @Test func `a fault is created, listed, read and deleted`() async throws {
        let fixture = try await FoyerFixture()
        let created = await fixture.ask(
            .post, "/api/faults",
            json: ["kind": "offline", "app": "mystica", "call": "login", "times": 3])
        #expect(created.status == 201)
        let id = created.json["id"]?.string ?? ""
        #expect(id.hasPrefix("cnd_"))
        #expect(created.json["remaining"]?.int == 3)
        #expect(created.json["text"] == "The next 3 requests for login in mystica get no response.")
        let list = await fixture.ask(.get, "/api/faults").json
        #expect(list["total"]?.int == 1)
        #expect(list["items"]?[0] == created.json)
        let path = "/api/faults/\(id)"
        #expect(await fixture.ask(.get, path).json == created.json)
        #expect(await fixture.ask(.delete, path).status == 204)
        #expect(await fixture.ask(.get, path).status == 404)
        #expect(await fixture.ask(.delete, path).status == 404)
    }

    @Test func `a preset is turned on by name and replaces itself`() async throws {
        let fixture = try await FoyerFixture()
        let presets = await fixture.ask(.get, "/api/faults/presets").json
        #expect(presets["items"]?[0]?["id"] == "offline")
        for _ in 1...2 {
            let created = await fixture.ask(
                .post, "/api/faults", json: ["preset": "tokenTheft"])
            #expect(created.status == 201)
            #expect(created.json["total"]?.int == 2)
        }
        let list = await fixture.ask(.get, "/api/faults").json
        #expect(list["total"]?.int == 2)
        let other = await fixture.ask(.delete, "/api/faults?preset=offline")
        #expect(other.status == 204)
        #expect(await fixture.ask(.get, "/api/faults").json["total"]?.int == 2)
        #expect(await fixture.ask(.delete, "/api/faults").status == 204)
        #expect(await fixture.ask(.get, "/api/faults").json["total"]?.int == 0)
    }

    @Test(
        arguments: [
            (["kind": "flood"], "/kind"), ([:], "/kind"),
            (["kind": "offline", "colour": "red"], "/colour"),
            (["kind": "offline", "times": "3"], "/times"),
            (["kind": "offline", "times": 0], "/times"),
            (["kind": "offline", "app": "nobody"], "/app"),
            (["kind": "offline", "device": "dev_nobody"], "/device"),
            (["kind": "offline", "app": "mystica", "call": "fly"], "/call"),
            (["kind": "offline", "call": "fly"], "/call"),
            (["kind": "mailLost", "phase": "after"], "/phase"),
            (["kind": "mailLost", "phase": "during"], "/phase"), (["kind": "status"], "/status"),
            (["kind": "offline", "delay": 3], "/delay"),
            (["kind": "accountLocked", "app": "wall"], "/kind"),
            (["kind": "codeExpired", "app": "mystica"], "/kind"),
            (["preset": "nothing"], "/preset"),
            (["preset": "offline", "kind": "offline"], "/kind"),
            (["preset": "accountLocked", "app": "wall"], "/preset"),
        ] as [(JSON, String)]) func `an invalid field is named by pointer`(
            _ body: JSON, _ pointer: String
        )
        async throws
    {
        let fixture = try await FoyerFixture()
        let response = await fixture.ask(.post, "/api/faults", json: body)
        #expect(response.status == 400)
        #expect(response.json["errors"]?[0]?["pointer"]?.string == pointer)
        let list = await fixture.ask(.get, "/api/faults").json
        #expect(list["total"]?.int == 0)
    }

    @Test func `unknown query parameters are named`() async throws {
        let fixture = try await FoyerFixture()
        let listed = await fixture.ask(.get, "/api/faults?kind=slow")
        #expect(listed.status == 400)
        let deleted = await fixture.ask(.delete, "/api/faults?preset=none")
        #expect(deleted.json["errors"]?[0]?["parameter"] == "preset")
        let traffic = await fixture.ask(.get, "/api/exchanges?fault=x")
        #expect(traffic.json["errors"]?[0]?["parameter"] == "fault")
    }

    @Test func `a device on a real backend accepts no embedded-backend faults`() async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        await fixture.succeed(
            .patch, "/api/devices/\(device)/apps/mystica", json: ["backend": "production"])
        let response = await fixture.ask(
            .post, "/api/faults",
            json: ["kind": "accessTokenExpired", "app": "mystica", "device": .string(device)])
        #expect(response.status == 400)
        #expect(response.json["errors"]?[0]?["detail"]?.string?.contains("production") == true)
        let networkFault = await fixture.ask(
            .post, "/api/faults",
            json: ["kind": "wrongKey", "app": "mystica", "device": .string(device)])
        #expect(networkFault.status == 201)
    }

    @Test func `a reset deletes all faults`() async throws {
        let fixture = try await FoyerFixture()
        await fixture.succeed(.post, "/api/faults", json: ["kind": "offline"])
        await fixture.succeed(.post, "/api/reset")
        #expect(await fixture.ask(.get, "/api/faults").json["total"]?.int == 0)
    }
}
