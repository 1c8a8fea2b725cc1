import Backend
import FoundationEssentials
import SQLite
import Support
import Surroundings
import Testing
import Web

@testable import Simulator

/// List, API and page tell one state of a session, whoever ended it.
@Suite(.timeLimit(.minutes(10))) struct SessionTruthTests {
    /// A house whose apps' local backend is another house's embedded one.
    private func abroad() async throws -> (house: WholeHouse, other: WholeHouse, device: String) {
        let other = try await WholeHouse()
        let real = "http://127.0.0.1:3999"
        let house = try await WholeHouse { request in
            guard request.url.hasPrefix(real) else { return nil }
            var headers = request.headers
            headers["Host"] = "127.0.0.1:7071"
            let response = await other.backend.responder(
                Request(
                    method: request.method, target: String(request.url.dropFirst(real.count)),
                    headers: headers, body: request.body))
            var body: [UInt8] = []
            if case .bytes(let bytes) = response.body { body = bytes }
            return .answered(Answer(status: response.status, headers: response.headers, body: body))
        }
        let device = await house.device()
        await house.succeed(
            .patch, "/api/devices/\(device)/apps/mystica",
            json: ["backend": "local", "base": .string(real + "/main/mystica/api/v1")])
        await house.submitted(
            "/apps/mystica/register/submit",
            [("email", "nora@example.com"), ("password", "correct horse")], device: device)
        return (house, other, device)
    }

    /// What each place says of the newest session's state.
    private func expect(
        _ state: String, _ house: WholeHouse, _ location: SourceLocation = #_sourceLocation
    ) async throws {
        // Filters and totals first: nothing has looked at the session yet.
        let found = await house.ask(.get, "/api/sessions?state=\(state)")
        #expect(found.json["total"] == 1, sourceLocation: location)
        #expect(found.json["items"]?[0]?["state"]?.string == state, sourceLocation: location)
        for other in ["active", "revoked"] where other != state {
            let none = await house.ask(.get, "/api/sessions?state=\(other)")
            #expect(none.json["total"] == 0, sourceLocation: location)
        }
        let searched = await house.ask(.get, "/api/sessions?state=\(state)&q=nora")
        #expect(searched.json["total"] == 1, sourceLocation: location)
        let id = try await house.session()
        let read = await house.ask(.get, "/api/sessions/\(id)")
        #expect(read.json["state"]?.string == state, sourceLocation: location)
        let device = try #require(read.json["device"]?.string)
        let place = await house.ask(.get, "/api/devices/\(device)/apps/mystica")
        #expect(place.json["session"]?["state"]?.string == state, sourceLocation: location)
        let rows = await house.page("/sessions?state=\(state)")
        #expect(rows.text.contains("sessions.state\">\(state)<"), sourceLocation: location)
        let page = await house.page("/sessions/\(id)?part=state")
        #expect(page.text.contains(">\(state)<"), sourceLocation: location)
    }

    @Test(arguments: ["race", "replay"])
    func `a family that was ended by reuse is revoked everywhere`(kind: String) async throws {
        let house = try await WholeHouse()
        _ = try await house.registered()
        let session = try await house.session()
        try await expect("active", house)
        var body: JSON = ["kind": .string(kind)]
        if kind == "replay" {
            await house.succeed(.post, "/api/sessions/\(session)/refresh")
            body = ["kind": "replay", "generation": 1]
        }
        await house.succeed(.post, "/api/sessions/\(session)/trials", json: body)
        try await expect("revoked", house)
        let told = house.hub.events(in: "main").filter { $0.facts["kind"] == "endedThere" }
        #expect(told.count == 1)
    }

    @Test func `whoever is signed out everywhere is revoked before it notices`() async throws {
        let house = try await WholeHouse()
        let device = try await house.registered()
        let list = await house.ask(.get, "/api/accounts")
        let account = try #require(list.json["items"]?[0]?["id"]?.string)
        await house.succeed(.patch, "/api/accounts/\(account)", json: ["signOut": true])
        try await expect("revoked", house)
        // The phone still holds its tokens, and can still be asked about.
        let id = try await house.session()
        let probe = await house.ask(.post, "/api/tokens/probe", json: ["session": .string(id)])
        #expect(probe.json["accepted"] == false)
        try await expect("revoked", house)
        let counted = await house.ask(.get, "/api/sessions?disagrees=true")
        #expect(counted.json["total"] == 1)
        // Now it notices, and its session is over for it too.
        await house.succeed(.post, "/api/devices/\(device)/apps/mystica/relaunch")
        let read = await house.ask(.get, "/api/sessions/\(id)")
        #expect(read.json["endedAt"]?.string != nil)
    }

    @Test func `an open session older than very many that ended is revoked too`() async throws {
        let house = try await WholeHouse()
        _ = try await house.registered()
        let id = try await house.session()
        try await house.simulator.database.writing { connection in
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
        let list = await house.ask(.get, "/api/accounts")
        let account = try #require(list.json["items"]?[0]?["id"]?.string)
        await house.succeed(.patch, "/api/accounts/\(account)", json: ["signOut": true])
        let revoked = await house.ask(.get, "/api/sessions?state=revoked")
        #expect(revoked.json["total"] == 1)
        #expect(revoked.json["items"]?[0]?["id"]?.string == id)
    }

    @Test func `an account that was disabled is counted before anyone looks`() async throws {
        let house = try await WholeHouse()
        _ = try await house.registered()
        // The claims of the first token are older than the verification.
        let id = try await house.session()
        await house.succeed(.post, "/api/sessions/\(id)/refresh")
        let none = await house.ask(.get, "/api/sessions?disagrees=true")
        #expect(none.json["total"] == 0)
        let list = await house.ask(.get, "/api/accounts")
        let account = try #require(list.json["items"]?[0]?["id"]?.string)
        for (isDisabled, count) in [(true, 1), (false, 0)] {
            await house.succeed(
                .patch, "/api/accounts/\(account)", json: ["disabled": .bool(isDisabled)])
            let found = await house.ask(.get, "/api/sessions?disagrees=true")
            #expect(found.json["total"] == .int(Int64(count)))
        }
    }

    @Test func `a real backend's refusal is what all of them say`() async throws {
        let (house, other, _) = try await abroad()
        let id = try await house.session()
        let before = await house.page("/sessions/\(id)")
        #expect(!before.text.contains("Still accepted"))
        try await expect("active", house)
        let list = await other.ask(.get, "/api/accounts")
        let account = try #require(list.json["items"]?[0]?["id"]?.string)
        _ = await other.ask(.patch, "/api/accounts/\(account)", json: ["signOut": true])
        try await expect("active", house)
        await house.succeed(.post, "/api/tokens/probe", json: ["session": .string(id)])
        try await expect("revoked", house)
        let after = await house.page("/sessions/\(id)")
        #expect(after.text.contains("Refused just now"))
        #expect(!after.text.contains("Still accepted"))
        #expect(!after.text.contains("Calls pass"))
    }

    @Test func `an expired one is named, not counted, and that is said`() async throws {
        let house = try await WholeHouse()
        _ = try await house.registered()
        let id = try await house.session()
        // The claims of the first token are older than the verification.
        await house.succeed(.post, "/api/sessions/\(id)/refresh")
        house.frozen.advance(by: 7_200)
        try await expect("expired", house)
        let read = await house.ask(.get, "/api/sessions/\(id)").json
        #expect(read["disagreeing"] == 0)
        #expect(read["disagreements"]?[0]?["kind"] == "expired")
        let page = await house.page("/sessions/\(id)")
        #expect(page.text.contains("not counted in lists"))
        let api = await house.ask(.get, "/api/openapi.json").json
        let words = api["components"]?["schemas"]?["Session"]?["properties"]?["disagreeing"]?[
            "description"]?.string
        #expect(words?.contains("expired") == true)
    }
}
