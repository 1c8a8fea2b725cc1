import Support
import Testing
import Web

@Suite(.timeLimit(.minutes(10))) struct AccountsAPITests {
    @Test func `somebody added without a password is told one, once`() async throws {
        let fixture = try await FoyerFixture()
        let added = await fixture.ask(
            .post, "/api/accounts",
            json: ["app": "mystica", "email": "ada@example.com", "accessTokenTTL": 20])
        #expect(added.status == 201)
        #expect(added.json["accessTokenTTL"] == 20)
        let password = try #require(added.json["password"]?.string)
        let id = try #require(added.json["id"]?.string)
        let again = await fixture.ask(.get, "/api/accounts/\(id)")
        #expect(again.json["password"] == nil)
        let device = await fixture.device()
        await fixture.submitted(
            "/apps/mystica/login/submit", [("email", "ada@example.com"), ("password", password)],
            device: device)
        let at = await fixture.ask(.get, "/api/devices/\(device)/apps/mystica")
        #expect(at.json["screen"] == "map")
    }

    @Test func `one account tells what can be done, and what ends with it`() async throws {
        let fixture = try await FoyerFixture()
        let added = await fixture.ask(.post, "/api/accounts", json: ["app": "wall"])
        let id = added.json["id"]?.string ?? ""
        let one = await fixture.ask(.get, "/api/accounts/\(id)")
        #expect(one.json["acts"]?["password"]?["possible"] == true)
        #expect(one.json["acts"]?["disable"]?["possible"] == false)
        let refused = await fixture.ask(.patch, "/api/accounts/\(id)", json: ["disabled": true])
        #expect(refused.status == 422)
        #expect(refused.json["errors"]?[0]?["pointer"] == "/disabled")
        #expect(refused.json["detail"] == one.json["acts"]?["disable"]?["text"])
    }

    @Test func `it is locked, unlocked, signed out and deleted`() async throws {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        let list = await fixture.ask(.get, "/api/accounts?q=nora")
        let id = list.json["items"]?[0]?["id"]?.string ?? ""
        #expect(list.json["items"]?[0]?["sessions"]?.int == 1)
        let one = "/api/accounts/\(id)"
        let locked = await fixture.ask(.patch, one, json: ["locked": true, "lockSeconds": 60])
        #expect(locked.json["state"] == "locked")
        let open = await fixture.ask(.patch, one, json: ["locked": false])
        #expect(open.json["state"] == "verified")
        let out = await fixture.ask(.patch, one, json: ["signOut": true])
        #expect(out.json["sessions"] == 0)
        let at = await fixture.ask(.post, "/api/devices/\(device)/apps/mystica/relaunch")
        #expect(at.json["screen"] == "login")
        #expect(await fixture.ask(.delete, one).status == 204)
        #expect(await fixture.ask(.get, one).status == 404)
        #expect(await fixture.ask(.delete, one).status == 404)
    }

    @Test func `many are added and paged through`() async throws {
        let fixture = try await FoyerFixture()
        let made = await fixture.ask(
            .post, "/api/accounts", json: ["app": "socoto", "count": 120, "domain": "many.test"])
        #expect(made.status == 201)
        #expect(made.json["made"] == 120)
        #expect(made.json["password"]?.string != nil)
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
    ]) func `a wrong field of somebody new is named`(body: String, pointer: String) async throws {
        let fixture = try await FoyerFixture()
        let refused = await fixture.ask(.post, "/api/accounts", json: try JSON(parsing: body))
        #expect((400..<500).contains(refused.status))
        #expect(refused.json["errors"]?[0]?["pointer"]?.string == pointer)
        #expect(await fixture.ask(.get, "/api/accounts").json["total"] == 0)
    }

    @Test(arguments: [
        (#"{"verified":"yes"}"#, "/verified"), (#"{"lockSeconds":60}"#, "/lockSeconds"),
        (#"{"locked":true,"lockSeconds":0}"#, "/lockSeconds"),
        (#"{"password":"short"}"#, "/password"), (#"{"accessTokenTTL":0}"#, "/accessTokenTTL"),
        (#"{"colour":"red"}"#, "/colour"),
    ]) func `a wrong field of a change is named, and nothing changes`(body: String, pointer: String)
        async throws
    {
        let fixture = try await FoyerFixture()
        let added = await fixture.ask(.post, "/api/accounts", json: ["app": "mystica"])
        let one = "/api/accounts/\(added.json["id"]?.string ?? "")"
        let before = await fixture.ask(.get, one).json
        let refused = await fixture.ask(.patch, one, json: try JSON(parsing: body))
        #expect((400..<500).contains(refused.status))
        #expect(refused.json["errors"]?[0]?["pointer"]?.string == pointer)
        #expect(await fixture.ask(.get, one).json == before)
    }

    @Test func `lists name what they do not know`() async throws {
        let fixture = try await FoyerFixture()
        for query in ["state=happy", "app=moon", "colour=red", "limit=0", "after=x"] {
            let refused = await fixture.ask(.get, "/api/accounts?\(query)")
            #expect(refused.status == 400, "\(query)")
            let name = query.prefix { $0 != "=" }
            #expect(refused.json["errors"]?[0]?["pointer"]?.string == "?\(name)")
        }
        for method in [Web.Method.get, .patch, .delete] {
            let gone = await fixture.ask(method, "/api/accounts/nobody")
            #expect(gone.status == 404)
            #expect(gone.json["detail"]?.string?.contains("the id nobody") == true)
        }
    }
}
