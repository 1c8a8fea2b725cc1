import Support
import Testing
import Web

@Suite(.timeLimit(.minutes(10))) struct DevicesAPITests {
    @Test func `a new device comes with a cookie that selects it in a browser`() async throws {
        let fixture = try await FoyerFixture()
        let created = await fixture.ask(
            .post, "/api/devices", json: ["label": "worker 1", "build": "release"])
        #expect(created.status == 201)
        #expect(created.json["label"] == "worker 1")
        let cookie = created.json["cookies"]?[0]
        #expect(cookie?["name"] == "foyer_device_7070")
        #expect(cookie?["value"] == created.json["id"])
        let id = created.json["id"]?.string ?? ""
        let current = await fixture.ask(
            .get, "/api/devices/current", headers: [("Cookie", "foyer_device_7070=\(id)")])
        #expect(current.json["id"]?.string == id)
    }

    @Test func `an empty body creates a device with default settings`() async throws {
        let fixture = try await FoyerFixture()
        let created = await fixture.ask(.post, "/api/devices")
        #expect(created.status == 201)
        #expect(created.json["build"] == "debug")
        #expect(created.json["biometrics"]?["kind"] == "none")
        #expect(created.json["size"] == "iphone15")
        #expect(created.json["orientation"] == "portrait")
        #expect(created.json["appearance"] == "system")
        #expect(created.json["textSize"] == "default")
    }

    @Test func `a device is created with the given display settings`() async throws {
        let fixture = try await FoyerFixture()
        let created = await fixture.ask(
            .post, "/api/devices",
            json: [
                "size": "ipad", "orientation": "landscape", "appearance": "dark",
                "textSize": "extraLarge",
            ])
        #expect(created.status == 201)
        let id = created.json["id"]?.string ?? ""
        let read = await fixture.ask(.get, "/api/devices/\(id)")
        #expect(read.json["size"] == "ipad")
        #expect(read.json["orientation"] == "landscape")
        #expect(read.json["appearance"] == "dark")
        #expect(read.json["textSize"] == "extraLarge")
    }

    @Test func `changing one display setting keeps the others`() async throws {
        let fixture = try await FoyerFixture()
        let id = await fixture.device()
        for (name, value) in [
            ("orientation", "landscape"), ("textSize", "accessibilityLarge"),
            ("appearance", "light"), ("size", "iphonese"),
        ] {
            let changed = await fixture.ask(
                .patch, "/api/devices/\(id)", json: .object([.init(name, .string(value))]))
            #expect(changed.status == 200)
        }
        let read = await fixture.ask(.get, "/api/devices/\(id)")
        #expect(read.json["orientation"] == "landscape")
        #expect(read.json["textSize"] == "accessibilityLarge")
        #expect(read.json["appearance"] == "light")
        #expect(read.json["size"] == "iphonese")
    }

    @Test(arguments: [
        ("orientation", "portrait, landscape"), ("appearance", "system, light, dark"),
        (
            "textSize",
            "small, default, large, extraLarge, accessibilityMedium, accessibilityLarge"
        ), ("size", "iphone15, iphonese, iphone15promax, iphone16promax, android, ipad"),
    ]) func `an unknown value is rejected with the list of valid ones`(
        _ name: String, _ validValues: String
    )
        async throws
    {
        let fixture = try await FoyerFixture()
        let id = await fixture.device()
        for (method, path) in [(Method.patch, "/api/devices/\(id)"), (.post, "/api/devices")] {
            for value in [JSON.string("sideways"), .string(""), .int(1)] {
                let response = await fixture.ask(method, path, json: .object([.init(name, value)]))
                #expect(response.status == 400)
                let error = response.json["errors"]?[0]
                #expect(error?["pointer"]?.string == "/\(name)")
                if value.string != nil {
                    #expect(error?["detail"]?.string?.hasSuffix(validValues) == true)
                }
            }
        }
    }

    @Test func `only the given fields are changed`() async throws {
        let fixture = try await FoyerFixture()
        let id = await fixture.device()
        let changed = await fixture.ask(
            .patch, "/api/devices/\(id)", json: ["biometrics": "faceID", "size": "ipad"])
        #expect(changed.status == 200)
        #expect(changed.json["biometrics"]?["kind"] == "faceID")
        #expect(changed.json["build"] == "debug")
    }

    @Test(arguments: [
        (#"{"label":1}"#, "/label"), (#"{"build":"beta"}"#, "/build"),
        (#"{"size":"watch"}"#, "/size"), (#"{"colour":"red"}"#, "/colour"),
        (#"{"biometrics":"iris"}"#, "/biometrics"),
        (#"{"biometrics":{"next":"maybe"}}"#, "/biometrics/next"),
    ]) func `an invalid field is named`(_ body: String, _ pointer: String) async throws {
        let fixture = try await FoyerFixture()
        let id = await fixture.device()
        let response = await fixture.ask(
            .patch, "/api/devices/\(id)", json: try JSON(parsing: body))
        #expect(response.status == 400)
        #expect(response.json["errors"]?[0]?["pointer"]?.string == pointer)
    }

    @Test func `an unknown device is a 404 that names the list of devices`() async throws {
        let fixture = try await FoyerFixture()
        let response = await fixture.ask(.get, "/api/devices/dev_nobody")
        #expect(response.status == 404)
        #expect(response.json["detail"]?.string?.contains("/api/devices") == true)
        let header = await fixture.ask(
            .get, "/api/devices/current", headers: [("X-Foyer-Device", "dev_nobody")])
        #expect(header.status == 404)
    }

    @Test func `the list of devices is paged by key`() async throws {
        let fixture = try await FoyerFixture()
        for _ in 0..<5 { _ = await fixture.device() }
        let first = await fixture.ask(.get, "/api/devices?limit=3")
        #expect(first.json["total"] == 5)
        let next = first.json["next"]?.string ?? ""
        let second = await fixture.ask(.get, "/api/devices?limit=3&after=\(next)")
        guard case .array(let items)? = second.json["items"] else {
            Issue.record("a list has items")
            return
        }
        #expect(items.count == 2)
        #expect(second.json["next"] == .null)
    }

    @Test(arguments: ["limit=0", "limit=501", "limit=x", "after=x", "colour=red"])
    func `an invalid query parameter is named`(_ query: String) async throws {
        let fixture = try await FoyerFixture()
        let response = await fixture.ask(.get, "/api/devices?\(query)")
        let name = query.split(separator: "=")[0]
        #expect(response.status == 400)
        #expect(response.json["errors"]?[0]?["parameter"]?.string == "\(name)")
    }
}
