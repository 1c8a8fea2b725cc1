import Support
import Testing
import Web

@Suite(.timeLimit(.minutes(10))) struct AccountsPagesTests {
    private func added(_ fixture: FoyerFixture, _ app: String = "mystica") async -> String {
        await fixture.ask(
            .post, "/api/accounts", json: ["app": .string(app), "email": "ada@example.com"]
        ).json["id"]?.string ?? ""
    }

    @Test func `an empty list says how an account comes about`() async throws {
        let fixture = try await FoyerFixture()
        let page = await fixture.page("/accounts")
        #expect(page.text.contains("No accounts yet"))
        #expect(page.text.contains("/accounts/new"))
    }

    @Test func `an account is found by app, state and part of its address`() async throws {
        let fixture = try await FoyerFixture()
        _ = await added(fixture)
        for query in ["", "?app=mystica", "?state=verified", "?q=ada@"] {
            let page = await fixture.page("/accounts" + query)
            #expect(page.text.contains("accounts.row"), "\(query)")
        }
        for query in ["?app=bob", "?state=locked", "?q=zoe"] {
            let page = await fixture.page("/accounts" + query)
            #expect(page.text.contains("No account fits"), "\(query)")
        }
    }

    @Test func `acts without a script are questions, then done`() async throws {
        let fixture = try await FoyerFixture()
        let id = await added(fixture)
        for (act, word) in [
            ("lock", "Lock ada@example.com out?"),
            ("password", "New password"), ("sign-out", "everywhere?"),
            ("delete", "Delete ada@example.com?"),
        ] {
            let page = await fixture.page("/accounts/\(id)/\(act)")
            #expect(page.status == 200)
            #expect(page.text.contains(word), "\(act)")
            let dialog = await fixture.page("/accounts/\(id)/\(act)?part=dialog")
            #expect(!dialog.text.contains("<html"))
        }
        let device = await fixture.device()
        let locked = await fixture.submit(
            "/accounts/\(id)/lock", [("seconds", "60")], device: device)
        #expect(locked.location == "/accounts/\(id)")
        #expect(await fixture.page("/accounts/\(id)").text.contains("locked"))
        let short = await fixture.submit(
            "/accounts/\(id)/password", [("password", "short")], device: device)
        #expect(short.status == 422)
        let deleted = await fixture.submit("/accounts/\(id)/delete", [], device: device)
        #expect(deleted.location == "/accounts")
        #expect(await fixture.page("/accounts/\(id)").status == 404)
        #expect(await fixture.page("/accounts/\(id)/juggle").status == 404)
    }

    @Test func `a session of the account leads to the device's side of it`() async throws {
        let fixture = try await FoyerFixture()
        _ = try await fixture.registered()
        let list = await fixture.ask(.get, "/api/accounts")
        let id = list.json["items"]?[0]?["id"]?.string ?? ""
        let page = await fixture.page("/accounts/\(id)")
        #expect(page.text.contains("1 of 1 last"))
        #expect(page.text.contains("/sessions/\(try await fixture.session())"))
        #expect(page.text.contains("/mailbox?to=nora%40example.com"))
        let session = await fixture.page("/sessions/\(try await fixture.session())")
        #expect(session.text.contains("/accounts/\(id)"))
    }

    @Test func `what a contract cannot do is shown with why`() async throws {
        let fixture = try await FoyerFixture()
        let id = await added(fixture, "wall")
        let page = await fixture.page("/accounts/\(id)")
        #expect(page.text.contains("cannot disable an account"))
        #expect(!page.text.contains("/accounts/\(id)/disable"))
    }

    @Test func `a form that is wrong is shown again with why`() async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        for (path, fields) in [
            ("/accounts/new", [("app", "bob"), ("email", "nobody")]),
            ("/accounts/new", [("app", "moon")]),
            ("/accounts/many", [("app", "bob"), ("count", "0")]),
            ("/accounts/many", [("app", "bob"), ("count", "9"), ("domain", "")]),
        ] {
            let sent = await fixture.submit(path, fields, device: device)
            #expect((400..<500).contains(sent.status), "\(path) \(fields)")
        }
        let many = await fixture.submit(
            "/accounts/many", [("app", "bob"), ("count", "60"), ("domain", "many.test")],
            device: device)
        #expect(many.status == 303)
        let page = await fixture.page(many.location ?? "")
        #expect(page.text.contains("of 60"))
    }
}
