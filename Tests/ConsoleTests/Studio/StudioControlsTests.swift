import Support
import Testing
import Web

/// The controls below the device, and their effect on a screen.
@Suite(.timeLimit(.minutes(10))) struct StudioControlsTests {
    @Test func `each control changes only its own setting`() async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        let sent = await fixture.submit(
            "/studio/mystica/device",
            [
                ("size", "ipad"), ("orientation", "landscape"),
                ("appearance", "light"), ("textSize", "large"),
                ("build", "release"), ("biometrics", "faceID"),
            ], device: device)
        #expect(sent.status == 303)
        #expect(sent.location == "/studio/mystica")
        let one = await fixture.submit(
            "/studio/mystica/device", [("appearance", "dark")], device: device)
        #expect(one.status == 303)
        let read = await fixture.ask(.get, "/api/devices/\(device)").json
        #expect(read["size"] == "ipad")
        #expect(read["orientation"] == "landscape")
        #expect(read["appearance"] == "dark")
        #expect(read["textSize"] == "large")
        #expect(read["build"] == "release")
        #expect(read["biometrics"]?["kind"] == "faceID")
        let page = await fixture.page("/studio/mystica", device: device).text
        #expect(page.contains("phone-ipad phone-landscape"))
        #expect(page.contains("on iPad, landscape"))
    }

    @Test(arguments: ["size", "orientation", "appearance", "textSize", "build", "biometrics"])
    func `an unknown choice is rejected and changes nothing`(name: String) async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        let before = await fixture.ask(.get, "/api/devices/\(device)").json
        let sent = await fixture.submit(
            "/studio/mystica/device", [("label", "x"), (name, "sideways")], device: device)
        #expect(sent.status == 400)
        let after = await fixture.ask(.get, "/api/devices/\(device)").json
        #expect(before == after)
    }

    @Test func `a device with default settings adds no classes to a screen`() async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        let screen = await fixture.page("/apps/bob/login", device: device).text
        #expect(screen.contains("<html lang=\"en\" class=\"system\">"))
        #expect(screen.contains("content=\"light dark\""))
        #expect(!screen.contains("text-default"))
    }

    @Test func `a screen uses the device's appearance and text size`() async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        await fixture.succeed(
            .patch, "/api/devices/\(device)", json: ["appearance": "dark", "textSize": "small"])
        let bob = await fixture.page("/apps/bob/login", device: device).text
        #expect(bob.contains("class=\"dark text-small\""))
        #expect(bob.contains("name=\"color-scheme\" content=\"dark\""))
    }

    @Test func `an app with one appearance ignores the device's`() async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        await fixture.succeed(.patch, "/api/devices/\(device)", json: ["appearance": "light"])
        let screen = await fixture.page("/apps/mystica/login", device: device)
        #expect(screen.text.contains("class=\"dark\""))
        let studio = await fixture.page("/studio/mystica", device: device)
        #expect(studio.text.contains("phone-on-dark"))
        let bob = await fixture.page("/studio/bob", device: device)
        #expect(bob.text.contains("phone-on-light"))
    }

    @Test func `studio values link to the events that caused them`() async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        await fixture.submitSuccessfully(
            "/studio/mystica/seed", [("state", "signedIn")], device: device)
        let page = await fixture.page("/studio/mystica", device: device).text
        for name in [
            "studio.token.access.event", "studio.token.refresh.event",
            "studio.state.event", "storage.mystica_user_id.event",
            "storage.mystica_user_id.written",
        ] {
            let tag =
                page.split(separator: "<").first { $0.contains("data-testid=\"\(name)\"") } ?? ""
            let link = tag.split(separator: "\"").first { $0.hasPrefix("/events/") }.map(
                String.init)
            let event = await fixture.page(try #require(link), device: device)
            #expect(event.status == 200, "\(name)")
            #expect(event.text.contains("data-testid=\"event-chain.step\""))
        }
    }
}
