import Support
import Testing
import Web

@Suite(.timeLimit(.minutes(10))) struct AccountsAPITests {
    @Test func `an account added without a password gets one that is returned once`() async throws {
        let fixture = try await FoyerFixture()
        let added = await fixture.ask(
            .post, "/api/accounts",
            json: ["app": "mystica", "email": "ada@example.com", "accessTokenTTL": 20])
        #expect(added.status == 201)
        #expect(added.json["accessTokenTTL"] == 20)
        let password = try #require(added.json["password"]?.string)
        let id = try #require(added.json["id"]?.string)
        let read = await fixture.ask(.get, "/api/accounts/\(id)")
        #expect(read.json["password"] == nil)
        let device = await fixture.device()
        await fixture.submitSuccessfully(
            "/apps/mystica/login/submit", [("email", "ada@example.com"), ("password", password)],
            device: device)
        let appState = await fixture.ask(.get, "/api/devices/\(device)/apps/mystica")
        #expect(appState.json["screen"] == "map")
    }

    @Test func `an account lists the actions its contract supports`() async throws {
        let fixture = try await FoyerFixture()
        let added = await fixture.ask(.post, "/api/accounts", json: ["app": "wall"])
        let id = added.json["id"]?.string ?? ""
        let account = await fixture.ask(.get, "/api/accounts/\(id)")
        #expect(account.json["actions"]?["password"]?["available"] == true)
        #expect(account.json["actions"]?["disable"]?["available"] == false)
        let rejected = await fixture.ask(.patch, "/api/accounts/\(id)", json: ["disabled": true])
        #expect(rejected.status == 422)
        #expect(rejected.json["errors"]?[0]?["pointer"] == "/disabled")
        #expect(rejected.json["detail"] == account.json["actions"]?["disable"]?["text"])
    }

    @Test func `an account is locked, unlocked, signed out and deleted`() async throws {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        let list = await fixture.ask(.get, "/api/accounts?q=nora")
        let id = list.json["items"]?[0]?["id"]?.string ?? ""
        #expect(list.json["items"]?[0]?["sessions"]?.int == 1)
        let path = "/api/accounts/\(id)"
        let locked = await fixture.ask(.patch, path, json: ["locked": true, "lockSeconds": 60])
        #expect(locked.json["state"] == "locked")
        let unlocked = await fixture.ask(.patch, path, json: ["locked": false])
        #expect(unlocked.json["state"] == "verified")
        let signedOut = await fixture.ask(.patch, path, json: ["signOut": true])
        #expect(signedOut.json["sessions"] == 0)
        let appState = await fixture.ask(.post, "/api/devices/\(device)/apps/mystica/relaunch")
        #expect(appState.json["screen"] == "login")
        #expect(await fixture.ask(.delete, path).status == 204)
        #expect(await fixture.ask(.get, path).status == 404)
        #expect(await fixture.ask(.delete, path).status == 404)
    }

    @Test func `accounts are added in bulk and listed page by page`() async throws {
        let fixture = try await FoyerFixture()
        let created = await fixture.ask(
            .post, "/api/accounts", json: ["app": "socoto", "count": 120, "domain": "many.test"])
        #expect(created.status == 201)
        #expect(created.json["created"] == 120)
        #expect(created.json["password"]?.string != nil)
        var (seen, after) = (Set<String>(), "")
        repeat {
            let page = await fixture.ask(.get, "/api/accounts?app=socoto&limit=50\(after)")
            #expect(page.json["total"] == 120)
            guard case .array(let items)? = page.json["items"] else { break }
            for item in items { seen.insert(item["id"]?.string ?? "") }
            after = page.json["next"]?.string.map { "&after=\($0)" } ?? ""
        } while !after.isEmpty
        #expect(seen.count == 120)
    }

    @Test(arguments: [
        (#"{}"#, "/app"), (#"{"app":"moon"}"#, "/app"),
        (#"{"app":"mystica","email":"nobody"}"#, "/email"),
        (#"{"app":"mystica","email":7}"#, "/email"),
        (#"{"app":"mystica","password":"short"}"#, "/password"),
        (#"{"app":"mystica","state":"happy"}"#, "/state"),
        (#"{"app":"wall","state":"locked"}"#, "/state"),
        (#"{"app":"bob","count":0}"#, "/count"),
        (#"{"app":"bob","count":10001}"#, "/count"),
        (#"{"app":"bob","count":2.5}"#, "/count"),
        (#"{"app":"bob","count":2,"email":"a@b.cd"}"#, "/email"),
        (#"{"app":"bob","count":2,"domain":"no domain"}"#, "/domain"),
        (#"{"app":"bob","domain":"b.cd"}"#, "/domain"),
        (#"{"app":"bob","accessTokenTTL":86401}"#, "/accessTokenTTL"),
        (#"{"app":"bob","colour":"red"}"#, "/colour"),
    ]) func `an invalid field of a new account is named`(body: String, pointer: String) async throws
    {
        let fixture = try await FoyerFixture()
        let rejected = await fixture.ask(.post, "/api/accounts", json: try JSON(parsing: body))
        #expect((400..<500).contains(rejected.status))
        #expect(rejected.json["errors"]?[0]?["pointer"]?.string == pointer)
        #expect(await fixture.ask(.get, "/api/accounts").json["total"] == 0)
    }

    @Test(arguments: [
        (#"{"verified":"yes"}"#, "/verified"), (#"{"lockSeconds":60}"#, "/lockSeconds"),
        (#"{"locked":true,"lockSeconds":0}"#, "/lockSeconds"),
        (#"{"password":"short"}"#, "/password"), (#"{"accessTokenTTL":0}"#, "/accessTokenTTL"),
        (#"{"colour":"red"}"#, "/colour"),
    ]) func `an invalid field of a change is named and nothing changes`(
        body: String, pointer: String
    )
        async throws
    {
        let fixture = try await FoyerFixture()
        let added = await fixture.ask(.post, "/api/accounts", json: ["app": "mystica"])
        let path = "/api/accounts/\(added.json["id"]?.string ?? "")"
        let before = await fixture.ask(.get, path).json
        let rejected = await fixture.ask(.patch, path, json: try JSON(parsing: body))
        #expect((400..<500).contains(rejected.status))
        #expect(rejected.json["errors"]?[0]?["pointer"]?.string == pointer)
        #expect(await fixture.ask(.get, path).json == before)
    }

    @Test func `unknown query parameters and ids are named`() async throws {
        let fixture = try await FoyerFixture()
        for query in ["state=happy", "app=moon", "colour=red", "limit=0", "after=x"] {
            let rejected = await fixture.ask(.get, "/api/accounts?\(query)")
            #expect(rejected.status == 400, "\(query)")
            let name = query.prefix { $0 != "=" }
            #expect(rejected.json["errors"]?[0]?["parameter"]?.string == "\(name)")
        }
        for method in [Web.Method.get, .patch, .delete] {
            let missing = await fixture.ask(
                method, "/api/accounts/nobody", json: method == .patch ? [:] : nil)
            #expect(missing.status == 404)
            #expect(missing.json["detail"]?.string?.contains("no account nobody") == true)
        }
    }
}
