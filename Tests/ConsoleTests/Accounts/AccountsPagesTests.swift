import Support
import Testing
import Web

@Suite(.timeLimit(.minutes(10))) struct AccountsPagesTests {
    private func addAccount(_ fixture: FoyerFixture, _ app: String = "mystica") async -> String {
        await fixture.ask(
            .post, "/api/accounts", json: ["app": .string(app), "email": "ada@example.com"]
        ).json["id"]?.string ?? ""
    }

    @Test func `an empty list explains how to create an account`() async throws {
        let fixture = try await FoyerFixture()
        let page = await fixture.page("/accounts")
        #expect(page.text.contains("No accounts yet"))
        #expect(page.text.contains("/accounts/new"))
    }

    @Test func `accounts are filtered by app, state and part of the email address`() async throws {
        let fixture = try await FoyerFixture()
        _ = await addAccount(fixture)
        for query in ["", "?app=mystica", "?state=verified", "?q=ada@"] {
            let page = await fixture.page("/accounts" + query)
            #expect(page.text.contains("accounts.row"), "\(query)")
        }
        for query in ["?app=bob", "?state=locked", "?q=zoe"] {
            let page = await fixture.page("/accounts" + query)
            #expect(page.text.contains("No matches"), "\(query)")
        }
    }

    @Test func `account actions without JavaScript ask for confirmation on a page`() async throws {
        let fixture = try await FoyerFixture()
        let id = await addAccount(fixture)
        for (action, expectedText) in [
            ("lock", "Lock ada@example.com?"),
            ("password", "New password"), ("sign-out", "everywhere?"),
            ("delete", "Delete ada@example.com?"),
        ] {
            let page = await fixture.page("/accounts/\(id)/\(action)")
            #expect(page.status == 200)
            #expect(page.text.contains(expectedText), "\(action)")
            let dialog = await fixture.page("/accounts/\(id)/\(action)?part=dialog")
            #expect(!dialog.text.contains("<html"))
        }
        let device = await fixture.device()
        let locked = await fixture.submit(
            "/accounts/\(id)/lock", [("seconds", "60")], device: device)
        #expect(locked.location == "/accounts/\(id)")
        #expect(await fixture.page("/accounts/\(id)").text.contains(">Locked<"))
        let short = await fixture.submit(
            "/accounts/\(id)/password", [("password", "short")], device: device)
        #expect(short.status == 422)
        let deleted = await fixture.submit("/accounts/\(id)/delete", [], device: device)
        #expect(deleted.location == "/accounts")
        #expect(await fixture.page("/accounts/\(id)").status == 404)
        #expect(await fixture.page("/accounts/\(id)/juggle").status == 404)
    }

    @Test func `an account page links to its sessions and mail, and a session page back`()
        async throws
    {
        let fixture = try await FoyerFixture()
        _ = try await fixture.registered()
        let list = await fixture.ask(.get, "/api/accounts")
        let id = list.json["items"]?[0]?["id"]?.string ?? ""
        let page = await fixture.page("/accounts/\(id)")
        #expect(page.text.contains("1 of 1 active"))
        #expect(page.text.contains("/sessions/\(try await fixture.session())"))
        #expect(page.text.contains("/mailbox?to=nora%40example.com"))
        let session = await fixture.page("/sessions/\(try await fixture.session())")
        #expect(session.text.contains("/accounts/\(id)"))
    }

    @Test func `an action the contract does not support shows the reason`() async throws {
        let fixture = try await FoyerFixture()
        let id = await addAccount(fixture, "wall")
        let page = await fixture.page("/accounts/\(id)")
        #expect(page.text.contains("cannot disable an account"))
        #expect(!page.text.contains("/accounts/\(id)/disable"))
    }

    @Test func `invalid account forms are rejected and a valid bulk form redirects`() async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        for (path, fields) in [
            ("/accounts/new", [("app", "bob"), ("email", "nobody")]),
            ("/accounts/new", [("app", "moon")]),
            ("/accounts/bulk", [("app", "bob"), ("count", "0")]),
            ("/accounts/bulk", [("app", "bob"), ("count", "9"), ("domain", "")]),
        ] {
            let response = await fixture.submit(path, fields, device: device)
            #expect((400..<500).contains(response.status), "\(path) \(fields)")
        }
        let bulk = await fixture.submit(
            "/accounts/bulk", [("app", "bob"), ("count", "60"), ("domain", "many.test")],
            device: device)
        #expect(bulk.status == 303)
        let page = await fixture.page(bulk.location ?? "")
        #expect(page.text.contains("of 60"))
    }
}
