import Core
import Simulator
import Support
import Testing
import Web

@Suite(.timeLimit(.minutes(10))) struct SessionsPagesTests {
    @Test func `an empty list explains how to create a session`() async throws {
        let fixture = try await FoyerFixture()
        let page = await fixture.page("/sessions")
        #expect(page.status == 200)
        #expect(page.text.contains("No sessions yet"))
        #expect(page.text.contains("/studio/mystica"))
    }

    @Test func `a session is found by state, app and email address`() async throws {
        let fixture = try await FoyerFixture()
        _ = try await fixture.registered()
        for query in ["", "?state=active", "?app=mystica", "?q=nora"] {
            let page = await fixture.page("/sessions" + query)
            #expect(page.text.contains("sessions.row"), "\(query)")
            #expect(page.text.contains("nora@example.com"), "\(query)")
        }
        for query in ["?state=revoked", "?app=mystica-instant", "?q=zoe"] {
            let page = await fixture.page("/sessions" + query)
            #expect(!page.text.contains("sessions.row"), "\(query)")
            #expect(page.text.contains("No matches"), "\(query)")
        }
    }

    @Test func `the list names each row's device and counts all devices`() async throws {
        let fixture = try await FoyerFixture()
        let first = try await fixture.registered()
        _ = try await fixture.registered("zoe@example.com")
        _ = await fixture.device()
        _ = try await fixture.simulator.updateDevice(first, in: "main") { $0.label = "Nora's" }
        let total = await fixture.page("/sessions?part=total")
        #expect(total.text.contains("2 sessions, 3 devices"))
        let rows = await fixture.page("/sessions?part=rows")
        #expect(rows.text.contains("Nora&#39;s"))
        #expect(rows.text.contains("Device 2"))
        #expect(!rows.text.contains("Device 3"))
    }

    @Test(arguments: ["total", "segments", "rows", "nav"])
    func `a part of the list is served alone`(part: String) async throws {
        let fixture = try await FoyerFixture()
        _ = try await fixture.registered()
        let page = await fixture.page("/sessions")
        let alone = await fixture.page("/sessions?part=\(part)")
        #expect(alone.status == 200 && !alone.text.isEmpty)
        #expect(!alone.text.contains("<html"))
        #expect(page.text.contains(alone.text))
    }

    @Test func `a session masks its tokens until one is revealed`() async throws {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        let address = "/sessions/\(try await fixture.session())"
        let masked = await fixture.page(address)
        #expect(masked.text.contains("Still accepted"))
        #expect(masked.text.contains("Valid signature"))
        #expect(!(await fixture.leaks(masked.text, device: device)))
        let revealed = await fixture.page(address + "?reveal=mystica_access_token")
        #expect(await fixture.leaks(revealed.text, device: device))
        #expect(fixture.hub.events(in: "main").contains { $0.kind == .storageRevealed })
    }

    @Test func `only the current device's storage can be edited`() async throws {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        let address = "/sessions/\(try await fixture.session())?part=storage"
        let edit = "/studio/mystica/storage/mystica_user_id"
        #expect(await fixture.page(address, device: device).text.contains(edit))
        #expect(!(await fixture.page(address).text.contains(edit)))
    }

    @Test func `a manual refresh counts in the list`() async throws {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        let address = "/sessions/\(try await fixture.session())"
        let response = await fixture.submit(address + "/refresh", [], device: device)
        #expect(response.status == 303 && response.location == address)
        let list = await fixture.page("/sessions?part=rows")
        #expect(list.text.contains("cell-refreshes end\">1<"))
    }

    @Test func `signing out asks for confirmation and ends the session`() async throws {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        let address = "/sessions/\(try await fixture.session())"
        let dialog = await fixture.page(address + "/sign-out?part=dialog")
        #expect(dialog.text.contains("Sign nora@example.com out of Mystica?"))
        #expect(!dialog.text.contains("<html"))
        let response = await fixture.submit(address + "/sign-out", [], device: device)
        #expect(response.status == 303 && response.location == address)
        let after = await fixture.page(address)
        #expect(after.text.contains("Signed out"))
        #expect(!after.text.contains("session.signout"))
        #expect(await fixture.page("/sessions?state=signedOut").text.contains("sessions.row"))
    }

    @Test func `a session's exchanges include its sign-in`() async throws {
        let fixture = try await FoyerFixture()
        _ = try await fixture.registered()
        let id = try await fixture.session()
        let part = await fixture.page("/sessions/\(id)?part=exchanges")
        #expect(part.text.contains("/auth/me"))
        #expect(part.text.contains("/traffic?session=\(id)"))
        let list = await fixture.page("/traffic?session=\(id)")
        #expect(list.text.contains("session of nora@example.com"))
    }

    @Test func `a moved clock hides none of a session's exchanges`() async throws {
        let fixture = try await FoyerFixture()
        await fixture.succeed(.patch, "/api/clock", json: ["advance": -3_600])
        let device = try await fixture.registered()
        let id = try await fixture.session()
        let signIn = try #require(
            try await fixture.simulator.history(ofSession: id, in: "main").first?.exchange)
        fixture.frozen.advance(by: 1)
        await fixture.submitSuccessfully("/sessions/\(id)/sign-out", [], device: device)
        let part = await fixture.page("/sessions/\(id)?part=exchanges")
        #expect(part.text.contains("/traffic/\(signIn)"))
        #expect(part.text.contains("/auth/logout"))
    }

    @Test func `later requests of another user do not belong to a session`() async throws {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        let id = try await fixture.session()
        fixture.frozen.advance(by: 1)
        await fixture.succeed(.patch, "/api/clock", json: ["advance": 3_600])
        await fixture.submitSuccessfully("/sessions/\(id)/sign-out", [], device: device)
        fixture.frozen.advance(by: 1)
        await fixture.submitSuccessfully(
            "/apps/mystica/login/submit",
            [("email", "zoe@example.com"), ("password", "another horse")], device: device)
        let later = try await fixture.exchange()
        let list = await fixture.page("/traffic?session=\(id)")
        #expect(list.text.contains("/auth/logout"))
        #expect(!list.text.contains("/traffic/\(later)"))
    }

    @Test func `a session replaced by a restore lists no later exchanges`() async throws {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        let first = try await fixture.session()
        let created = await fixture.ask(
            .post, "/api/snapshots", json: ["name": "one"], headers: [("X-Foyer-Device", device)])
        fixture.frozen.advance(by: 1)
        await fixture.submitSuccessfully("/sessions/\(first)/sign-out", [], device: device)
        await fixture.submitSuccessfully(
            "/apps/mystica/register/submit",
            [("email", "zoe@example.com"), ("password", "another horse")], device: device)
        let second = try await fixture.session()
        #expect(second != first)
        let own = try await fixture.exchange()
        fixture.frozen.advance(by: 1)
        let snapshot = created.json["id"]?.string ?? ""
        await fixture.succeed(.post, "/api/snapshots/\(snapshot)/restore")
        fixture.frozen.advance(by: 1)
        await fixture.succeed(.post, "/api/sessions/\(first)/refresh")
        let later = try await fixture.exchange()
        let list = await fixture.page("/traffic?session=\(second)")
        #expect(list.text.contains("/traffic/\(own)"))
        #expect(!list.text.contains("/traffic/\(later)"))
    }

    @Test(arguments: [
        ("/sessions/ses_none", 404), ("/sessions?state=gone", 400),
        ("/sessions?before=0", 400), ("/sessions?part=none", 404),
        ("/sessions?unknown=1", 400),
    ])
    func `unknown sessions and parameters are rejected with a page`(
        target: String, status: Int
    ) async throws {
        let fixture = try await FoyerFixture()
        let page = await fixture.page(target)
        #expect(page.status == status)
        #expect(page.text.contains("<h1"))
    }
}
