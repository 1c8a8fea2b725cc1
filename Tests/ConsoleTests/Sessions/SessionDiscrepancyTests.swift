import Backend
import Core
import FoundationEssentials
import SQLite
import Support
import Testing
import Web

@testable import Simulator

/// List, API and page tell one state of a session, whoever ended it.
@Suite(.timeLimit(.minutes(10))) struct SessionDiscrepancyTests {
    /// A house whose apps' local backend is another house's embedded one.
    private func abroad() async throws -> (house: FoyerFixture, other: FoyerFixture, device: String)
    {
        let other = try await FoyerFixture()
        let real = "http://127.0.0.1:3999"
        let fixture = try await FoyerFixture { request in
            guard request.url.hasPrefix(real) else { return nil }
            var headers = request.headers
            headers["Host"] = "127.0.0.1:7071"
            let response = await other.backend.responder(
                Request(
                    method: request.method, target: String(request.url.dropFirst(real.count)),
                    headers: headers, body: request.body))
            var body: [UInt8] = []
            if case .bytes(let bytes) = response.body { body = bytes }
            return .responded(
                UpstreamResponse(status: response.status, headers: response.headers, body: body))
        }
        let device = await fixture.device()
        await fixture.succeed(
            .patch, "/api/devices/\(device)/apps/mystica",
            json: ["backend": "local", "base": .string(real + "/main/mystica/api/v1")])
        await fixture.submitted(
            "/apps/mystica/register/submit",
            [("email", "nora@example.com"), ("password", "correct horse")], device: device)
        return (fixture, other, device)
    }

    /// What each place says of the newest session's state.
    private func expect(
        _ state: String, _ fixture: FoyerFixture, _ location: SourceLocation = #_sourceLocation
    ) async throws {
        // Filters and totals first: nothing has looked at the session yet.
        let found = await fixture.ask(.get, "/api/sessions?state=\(state)")
        #expect(found.json["total"] == 1, sourceLocation: location)
        #expect(found.json["items"]?[0]?["state"]?.string == state, sourceLocation: location)
        for other in ["active", "revoked"] where other != state {
            let none = await fixture.ask(.get, "/api/sessions?state=\(other)")
            #expect(none.json["total"] == 0, sourceLocation: location)
        }
        let searched = await fixture.ask(.get, "/api/sessions?state=\(state)&q=nora")
        #expect(searched.json["total"] == 1, sourceLocation: location)
        let id = try await fixture.session()
        let read = await fixture.ask(.get, "/api/sessions/\(id)")
        #expect(read.json["state"]?.string == state, sourceLocation: location)
        let device = try #require(read.json["device"]?.string)
        let place = await fixture.ask(.get, "/api/devices/\(device)/apps/mystica")
        #expect(place.json["session"]?["state"]?.string == state, sourceLocation: location)
        let rows = await fixture.page("/sessions?state=\(state)")
        #expect(rows.text.contains("sessions.state\">\(state)<"), sourceLocation: location)
        let page = await fixture.page("/sessions/\(id)?part=state")
        #expect(page.text.contains(">\(state)<"), sourceLocation: location)
    }

    @Test(arguments: ["race", "replay"])
    func `a family that was ended by reuse is revoked everywhere`(kind: String) async throws {
        let fixture = try await FoyerFixture()
        _ = try await fixture.registered()
        let session = try await fixture.session()
        try await expect("active", fixture)
        var body: JSON = ["kind": .string(kind)]
        if kind == "replay" {
            await fixture.succeed(.post, "/api/sessions/\(session)/refresh")
            body = ["kind": "replay", "generation": 1]
        }
        await fixture.succeed(.post, "/api/sessions/\(session)/trials", json: body)
        try await expect("revoked", fixture)
        let told = fixture.hub.events(in: "main").filter { $0.details["kind"] == "endedThere" }
        #expect(told.count == 1)
    }

    @Test func `whoever is signed out everywhere is revoked before it notices`() async throws {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        let list = await fixture.ask(.get, "/api/accounts")
        let account = try #require(list.json["items"]?[0]?["id"]?.string)
        await fixture.succeed(.patch, "/api/accounts/\(account)", json: ["signOut": true])
        try await expect("revoked", fixture)
        // The phone still holds its tokens, and can still be asked about.
        let id = try await fixture.session()
        let probe = await fixture.ask(.post, "/api/tokens/probe", json: ["session": .string(id)])
        #expect(probe.json["accepted"] == false)
        try await expect("revoked", fixture)
        let counted = await fixture.ask(.get, "/api/sessions?disagrees=true")
        #expect(counted.json["total"] == 1)
        // Now it notices, and its session is over for it too.
        await fixture.succeed(.post, "/api/devices/\(device)/apps/mystica/relaunch")
        let read = await fixture.ask(.get, "/api/sessions/\(id)")
        #expect(read.json["endedAt"]?.string != nil)
    }

    @Test func `an open session older than very many that ended is revoked too`() async throws {
        let fixture = try await FoyerFixture()
        _ = try await fixture.registered()
        let id = try await fixture.session()
        try await fixture.simulator.database.writeThrowingProblems { connection in
            try connection.run(
                """
                WITH RECURSIVE n (i) AS
                    (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 501)
                INSERT INTO sessions (id, workspace, app, device, backend,
                    ended, created_at, ended_at, refresh_count, generation,
                    user_id, email, label, claims)
                SELECT 'ses_ended_' || i, workspace, app, device, backend,
                    'signedOut', created_at, created_at, 0, 1, user_id, email,
                    label, claims
                FROM sessions, n
                """)
        }
        let list = await fixture.ask(.get, "/api/accounts")
        let account = try #require(list.json["items"]?[0]?["id"]?.string)
        await fixture.succeed(.patch, "/api/accounts/\(account)", json: ["signOut": true])
        let revoked = await fixture.ask(.get, "/api/sessions?state=revoked")
        #expect(revoked.json["total"] == 1)
        #expect(revoked.json["items"]?[0]?["id"]?.string == id)
    }

    @Test func `an account that was disabled is counted before anyone looks`() async throws {
        let fixture = try await FoyerFixture()
        _ = try await fixture.registered()
        // The claims of the first token are older than the verification.
        let id = try await fixture.session()
        await fixture.succeed(.post, "/api/sessions/\(id)/refresh")
        let none = await fixture.ask(.get, "/api/sessions?disagrees=true")
        #expect(none.json["total"] == 0)
        let list = await fixture.ask(.get, "/api/accounts")
        let account = try #require(list.json["items"]?[0]?["id"]?.string)
        for (isDisabled, count) in [(true, 1), (false, 0)] {
            await fixture.succeed(
                .patch, "/api/accounts/\(account)", json: ["disabled": .bool(isDisabled)])
            let found = await fixture.ask(.get, "/api/sessions?disagrees=true")
            #expect(found.json["total"] == .int(Int64(count)))
        }
    }

    @Test func `a real backend's refusal is what all of them say`() async throws {
        let (fixture, other, _) = try await abroad()
        let id = try await fixture.session()
        let before = await fixture.page("/sessions/\(id)")
        #expect(!before.text.contains("Still accepted"))
        try await expect("active", fixture)
        let list = await other.ask(.get, "/api/accounts")
        let account = try #require(list.json["items"]?[0]?["id"]?.string)
        _ = await other.ask(.patch, "/api/accounts/\(account)", json: ["signOut": true])
        try await expect("active", fixture)
        await fixture.succeed(.post, "/api/tokens/probe", json: ["session": .string(id)])
        try await expect("revoked", fixture)
        let after = await fixture.page("/sessions/\(id)")
        #expect(after.text.contains("Refused just now"))
        #expect(!after.text.contains("Still accepted"))
        #expect(!after.text.contains("Calls pass"))
    }

    @Test func `an expired one is named, not counted, and that is said`() async throws {
        let fixture = try await FoyerFixture()
        _ = try await fixture.registered()
        let id = try await fixture.session()
        // The claims of the first token are older than the verification.
        await fixture.succeed(.post, "/api/sessions/\(id)/refresh")
        fixture.frozen.advance(by: 7_200)
        try await expect("expired", fixture)
        let read = await fixture.ask(.get, "/api/sessions/\(id)").json
        #expect(read["disagreeing"] == 0)
        #expect(read["disagreements"]?[0]?["kind"] == "expired")
        let page = await fixture.page("/sessions/\(id)")
        #expect(page.text.contains("not counted in lists"))
        let api = await fixture.ask(.get, "/api/openapi.json").json
        let words = api["components"]?["schemas"]?["Session"]?["properties"]?["disagreeing"]?[
            "description"]?.string
        #expect(words?.contains("expired") == true)
    }
}
