import Core
import FoundationEssentials
import Support
import Testing
import Web

/// The studio and its dialogs, as pages and as parts.
@Suite(.timeLimit(.minutes(10))) struct StudioPartsTests {
    @Test(arguments: [
        ("actions", "studio.expire"), ("state", "studio.state.current"),
        ("tokens", "studio.token.access"), ("storage", "storage.mystica_access_token"),
        ("exchanges", "exchanges.row"), ("mail", "studio.mail.row"),
        ("timeline", "timeline.event"), ("nav", "nav.mailbox"),
    ]) func `a part of the studio is served without its page`(name: String, testID: String)
        async throws
    {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        let part = await fixture.page("/studio/mystica?part=\(name)", device: device)
        #expect(part.status == 200)
        #expect(part.text.contains("data-testid=\"\(testID)\""))
        #expect(!part.text.contains("<html"))
    }

    @Test func `mail of other devices does not displace this device's events`() async throws {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        for number in 0..<500 {
            fixture.hub.publish(
                Event(
                    workspace: "main", kind: .mailReceived, app: "mystica",
                    subject: "mail_\(number)", title: "Mail", details: ["request": "\(number)"]))
        }
        let timeline = await fixture.page("/studio/mystica?part=timeline", device: device).text
        #expect(timeline.contains("timeline.event"))
        #expect(timeline.components(separatedBy: ">mail<").count == 2)
    }

    @Test func `a revealed value is not shared`() async throws {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        let address = "/studio/mystica?part=tokens"
        let reveal = address + "&reveal=mystica_access_token"
        #expect(await fixture.page(reveal, device: device).text.contains("Hide"))
        #expect(await !fixture.page(address, device: device).text.contains("Hide"))
    }

    @Test func `a part that browsers share shows what happened, and has no CSRF token`()
        async throws
    {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        let address = "/studio/mystica?part=actions,exchanges"
        let first = await fixture.page(address, device: device)
        #expect(await fixture.page(address, device: device).text == first.text)
        #expect(first.text.contains(#"name="csrf" value="">"#))
        #expect(first.text.contains("exchanges.row"))
        #expect(await !fixture.page(address).text.contains("exchanges.row"))
        await fixture.succeed(.delete, "/api/exchanges")
        #expect(await !fixture.page(address, device: device).text.contains("exchanges.row"))
    }

    @Test func `shared parts of the frame have no CSRF token`() async throws {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        let cookies = try await fixture.keyCookie() + "; foyer_device_7070=\(device)"
        await fixture.succeed(.patch, "/api/clock", json: ["advance": 900])
        let parts = "?part=nav,faults,banner,clock"
        let shared = await fixture.page("/studio/mystica" + parts, cookies: cookies).text
        let own = await fixture.page("/sessions" + parts, cookies: cookies).text
        for text in [shared, own] {
            #expect(text.contains("nav.mailbox"))
            #expect(text.contains(#"name="csrf""#))
        }
        #expect(!shared.replacing(#"name="csrf" value="""#, with: "").contains("csrf"))
        #expect(!own.contains(#"name="csrf" value="""#))
    }

    @Test(arguments: [
        ("backend", "backend.save"), ("clear", "confirm.yes"),
        ("storage/mystica_access_token", "storage.edit.save"),
    ]) func `a dialog is also a page with the same content`(path: String, control: String)
        async throws
    {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        let address = "/studio/mystica/" + path
        let dialog = await fixture.page(address + "?part=dialog", device: device)
        #expect(dialog.status == 200)
        #expect(dialog.text.contains("data-testid=\"\(control)\""))
        #expect(!dialog.text.contains("<html"))
        let page = await fixture.page(address, device: device)
        #expect(page.status == 200)
        #expect(page.text.contains("data-testid=\"\(control)\""))
        #expect(page.text.contains("<html"))
    }

    @Test func `every test id of the studio has only letters, digits and separators`() async throws
    {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        let page = await fixture.page("/studio/mystica", device: device)
        let ids = page.text.components(separatedBy: "data-testid=\"").dropFirst().map {
            $0.prefix { $0 != "\"" }
        }
        #expect(ids.contains("studio.token.access.claim.iat-exp"))
        for id in ids {
            #expect(
                id.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) || "._-".contains($0) },
                "\(id)")
        }
    }

    @Test(arguments: ["", "/backend", "/clear"]) func `an unknown part returns 404`(
        path: String
    ) async throws {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        let page = await fixture.page("/studio/mystica\(path)?part=cellar", device: device)
        #expect(page.status == 404)
        #expect(page.text.contains("No part is called cellar."))
    }

    @Test(arguments: ["", "/backend", "/clear"])
    func `the first request to a page sets a device cookie`(path: String) async throws {
        let fixture = try await FoyerFixture()
        let page = await fixture.page("/studio/mystica" + path)
        #expect(page.status == 200)
        #expect(page.headers["Set-Cookie"]?.isEmpty == false)
    }
}
