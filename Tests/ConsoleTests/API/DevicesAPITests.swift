import Support
import Testing
import Web

@Suite struct DevicesAPITests {
    @Test func `a device comes with the cookies that make a browser it`()
        async throws
    {
        let house = try await WholeHouse()
        let made = await house.ask(
            .post, "/api/devices",
            json: ["label": "worker 1", "build": "release"])
        #expect(made.status == 201)
        #expect(made.json["label"] == "worker 1")
        let cookie = made.json["cookies"]?[0]
        #expect(cookie?["name"] == "foyer_device_7070")
        #expect(cookie?["value"] == made.json["id"])
        let id = made.json["id"]?.string ?? ""
        let current = await house.ask(
            .get, "/api/devices/current",
            headers: [("Cookie", "foyer_device_7070=\(id)")])
        #expect(current.json["id"]?.string == id)
    }

    @Test func `an empty body makes a device with what is usual`() async throws
    {
        let house = try await WholeHouse()
        let made = await house.ask(.post, "/api/devices")
        #expect(made.status == 201)
        #expect(made.json["build"] == "debug")
        #expect(made.json["biometrics"]?["kind"] == "none")
    }

    @Test func `what is given is changed and the rest stays`() async throws {
        let house = try await WholeHouse()
        let id = await house.device()
        let changed = await house.ask(
            .patch, "/api/devices/\(id)",
            json: ["biometrics": "faceID", "size": "ipad"])
        #expect(changed.status == 200)
        #expect(changed.json["biometrics"]?["kind"] == "faceID")
        #expect(changed.json["build"] == "debug")
    }

    @Test(arguments: [
        (#"{"label":1}"#, "/label"), (#"{"build":"beta"}"#, "/build"),
        (#"{"size":"watch"}"#, "/size"), (#"{"colour":"red"}"#, "/colour"),
        (#"{"biometrics":"iris"}"#, "/biometrics"),
        (#"{"biometrics":{"next":"maybe"}}"#, "/biometrics/next"),
    ])
    func `a wrong field is named`(
        _ body: String, _ pointer: String
    ) async throws {
        let house = try await WholeHouse()
        let id = await house.device()
        let answer = await house.ask(
            .patch, "/api/devices/\(id)", json: try JSON(parsing: body))
        #expect(answer.status == 400)
        #expect(answer.json["errors"]?[0]?["pointer"]?.string == pointer)
    }

    @Test func `a device nobody has is a 404 that says where they are`()
        async throws
    {
        let house = try await WholeHouse()
        let answer = await house.ask(.get, "/api/devices/dev_nobody")
        #expect(answer.status == 404)
        #expect(answer.json["detail"]?.string?.contains("/api/devices") == true)
        let header = await house.ask(
            .get, "/api/devices/current",
            headers: [("X-Foyer-Device", "dev_nobody")])
        #expect(header.status == 404)
    }

    @Test func `lists are paged by key`() async throws {
        let house = try await WholeHouse()
        for _ in 0..<5 { _ = await house.device() }
        let first = await house.ask(.get, "/api/devices?limit=3")
        #expect(first.json["total"] == 5)
        let next = first.json["next"]?.string ?? ""
        let second = await house.ask(
            .get, "/api/devices?limit=3&after=\(next)")
        guard case .array(let items)? = second.json["items"] else {
            Issue.record("a list has items")
            return
        }
        #expect(items.count == 2)
        #expect(second.json["next"] == .null)
    }

    @Test(arguments: ["limit=0", "limit=501", "limit=x", "colour=red"])
    func `a wrong query parameter is named`(_ query: String) async throws {
        let house = try await WholeHouse()
        let answer = await house.ask(.get, "/api/devices?\(query)")
        let name = query.split(separator: "=")[0]
        #expect(answer.status == 400)
        #expect(answer.json["errors"]?[0]?["pointer"]?.string == "?\(name)")
    }
}
