import Support
import Testing
import Web

/// The studio of another device than the browser's, and of two side by side.
@Suite(.timeLimit(.minutes(10))) struct StudioDevicesTests {
    private static func screen(_ fixture: FoyerFixture, on device: String) async -> JSON? {
        await fixture.ask(.get, "/api/devices/\(device)/apps/mystica").json["screen"]
    }

    private static func session(_ fixture: FoyerFixture, on device: String) async -> JSON? {
        await fixture.ask(.get, "/api/devices/\(device)/apps/mystica").json["session"]
    }

    @Test func `the studio shows the device that its URL names`() async throws {
        let fixture = try await FoyerFixture()
        let (own, other) = (await fixture.device(), await fixture.device())
        await fixture.succeed(.patch, "/api/devices/\(other)", json: ["label": "Worker phone"])
        let page = await fixture.page("/studio/mystica?device=\(other)", device: own).text
        #expect(page.contains("data-device=\"\(other)\""))
        #expect(page.contains("src=\"/devices/\(other)/apps/mystica/"))
        #expect(page.contains("action=\"/studio/mystica/relaunch?device=\(other)\""))
        #expect(page.contains("Worker phone"))
    }

    @Test func `the browser's own device has the short URLs`() async throws {
        let fixture = try await FoyerFixture()
        let own = await fixture.device()
        let page = await fixture.page("/studio/mystica?device=\(own)", device: own).text
        #expect(page.contains("action=\"/studio/mystica/relaunch\""))
        #expect(page.contains("src=\"/apps/mystica/"))
    }

    @Test func `the forms of another device's studio act on it and return to it`() async throws {
        let fixture = try await FoyerFixture()
        let (own, other) = (await fixture.device(), await fixture.device())
        let sent = await fixture.submit(
            "/studio/mystica/seed?device=\(other)", [], device: own)
        #expect(sent.location == "/studio/mystica?device=\(other)")
        #expect(await Self.session(fixture, on: other)?["state"] == "active")
        #expect(await Self.session(fixture, on: own) == .null)
    }

    @Test func `a device of another workspace is shown after switching to it`() async throws {
        let fixture = try await FoyerFixture()
        let own = await fixture.device()
        let lease = await fixture.ask(
            .post, "/api/workspaces",
            json: ["label": "worker", "seed": ["app": "mystica", "state": "signedIn"]]
        ).json
        let device = try #require(lease["device"]?.string)
        let workspace = try #require(lease["id"]?.string)
        let page = await fixture.page("/studio/mystica?device=\(device)", device: own).text
        #expect(page.contains("Switch to workspace worker?"))
        let sent = await fixture.submit(
            "/workspaces/\(workspace)/switch?back=/studio/mystica?device%3D\(device)", [],
            device: own)
        #expect(sent.location == "/studio/mystica?device=\(device)")
    }

    @Test func `an unknown device is an error`() async throws {
        let fixture = try await FoyerFixture()
        let own = await fixture.device()
        for name in ["device", "beside"] {
            let page = await fixture.page("/studio/mystica?\(name)=dev_x", device: own)
            #expect(page.status == 404)
            #expect(page.text.contains("Unknown device"))
        }
    }

    @Test func `two devices side by side are relaunched together`() async throws {
        let fixture = try await FoyerFixture()
        let (own, other) = (await fixture.device(), await fixture.device())
        for device in [own, other] {
            await fixture.succeed(.post, "/api/devices/\(device)/apps/mystica/relaunch")
            #expect(await Self.screen(fixture, on: device) == "login")
        }
        let url = "/studio/mystica?beside=\(other)"
        let page = await fixture.page(url, device: own).text
        #expect(page.contains("data-testid=\"studio.phone.second\""))
        let sent = await fixture.submit(
            "/studio/mystica/relaunch?beside=\(other)", [], device: own)
        #expect(sent.location == url)
        for device in [own, other] {
            #expect(await Self.screen(fixture, on: device) == "splash")
        }
    }

    @Test func `two devices with the same data have the same refresh token`() async throws {
        let fixture = try await FoyerFixture()
        let (own, other) = (await fixture.device(), await fixture.device())
        await fixture.submitSuccessfully("/studio/mystica/seed", [], device: own)
        await fixture.submitSuccessfully(
            "/studio/mystica/copy?beside=\(other)", [], device: own)
        await fixture.submitSuccessfully(
            "/studio/mystica/expire?beside=\(other)", [], device: own)
        func relaunch(_ device: String) async -> JSON? {
            await fixture.ask(.post, "/api/devices/\(device)/apps/mystica/relaunch").json["screen"]
        }
        #expect(await relaunch(own) == "map")
        // The token of the first device is used up.
        #expect(await relaunch(other) == "login")
    }

    @Test func `an app without stored data cannot be copied`() async throws {
        let fixture = try await FoyerFixture()
        let (own, other) = (await fixture.device(), await fixture.device())
        let sent = await fixture.ask(
            .post, "/api/devices/\(other)/apps/mystica/copy", json: ["from": .string(own)])
        #expect(sent.status == 409)
        #expect(sent.json["title"] == "No stored data to copy")
    }

    @Test func `a new device has the settings of the shown one`() async throws {
        let fixture = try await FoyerFixture()
        let own = await fixture.device()
        await fixture.succeed(.patch, "/api/devices/\(own)", json: ["size": "ipad"])
        let sent = await fixture.submit("/studio/mystica/devices", [], device: own)
        let id = try #require(sent.location?.split(separator: "=").last.map(String.init))
        #expect(id != own)
        #expect(await fixture.ask(.get, "/api/devices/\(id)").json["size"] == "ipad")
    }

    @Test func `a device can be renamed, but not to nothing`() async throws {
        let fixture = try await FoyerFixture()
        let own = await fixture.device()
        let empty = await fixture.submit(
            "/studio/mystica/device/name", [("name", " ")], device: own)
        #expect(empty.status == 400)
        #expect(empty.text.contains("The name must have 1 to 80 bytes."))
        await fixture.submitSuccessfully(
            "/studio/mystica/device/name", [("name", "My phone")], device: own)
        #expect(await fixture.ask(.get, "/api/devices/\(own)").json["label"] == "My phone")
    }

    @Test func `a deleted device is gone with its sessions`() async throws {
        let fixture = try await FoyerFixture()
        let (own, other) = (await fixture.device(), await fixture.device())
        await fixture.submitSuccessfully(
            "/studio/mystica/seed?device=\(other)", [], device: own)
        let sent = await fixture.submit(
            "/studio/mystica/device/delete?device=\(other)", [], device: own)
        #expect(sent.location == "/studio/mystica")
        #expect(await fixture.ask(.get, "/api/devices/\(other)").status == 404)
        #expect(await fixture.ask(.get, "/api/sessions").json["total"] == 0)
        #expect(await fixture.ask(.delete, "/api/devices/\(other)").status == 404)
        // Its id, in a cookie, does not select it.
        let again = await fixture.page("/studio/mystica", device: own).text
        #expect(!again.contains(other))
    }

    @Test func `tokens of a revoked session show no time left`() async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        await fixture.submitSuccessfully(
            "/studio/mystica/seed", [("state", "revoked")], device: device)
        _ = try await fixture.session()
        let page = await fixture.page("/studio/mystica?part=tokens,timeline", device: device).text
        #expect(page.contains("Session revoked"))
        #expect(!page.contains("data-countdown"))
        #expect(page.contains(">revoked</text>"))
    }

    @Test func `the API ends, crashes and expires an app like the studio`() async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        let app = "/api/devices/\(device)/apps/mystica"
        await fixture.submitSuccessfully("/studio/mystica/seed", [], device: device)
        let expired = await fixture.ask(.post, "\(app)/expire").json
        #expect(expired["session"]?["state"] == "expired")
        #expect(await fixture.ask(.post, "\(app)/force-quit").json["screen"] == "map")
        let armed = await fixture.ask(.post, "\(app)/crash").json
        #expect(armed["crashesOnNextRequest"] == true)
        let canceled = await fixture.ask(.post, "\(app)/crash", json: ["enabled": false]).json
        #expect(canceled["crashesOnNextRequest"] == false)
    }
}
