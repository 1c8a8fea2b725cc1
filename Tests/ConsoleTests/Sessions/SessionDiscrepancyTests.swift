import Backend
import Core
import FoundationEssentials
import SQLite
import Support
import Testing
import Web

@testable import Simulator

/// List, API and page report the same state of a session, no matter what ended it.
@Suite(.timeLimit(.minutes(10))) struct SessionDiscrepancyTests {
    /// A fixture whose `local` backend is the embedded backend of another fixture.
    private func makeFixtureWithRemoteBackend() async throws -> (
        fixture: FoyerFixture, other: FoyerFixture, device: String
    ) {
        let other = try await FoyerFixture()
        let base = "http://127.0.0.1:3999"
        let fixture = try await FoyerFixture { request in
            guard request.url.hasPrefix(base) else { return nil }
            var headers = request.headers
            headers["Host"] = "127.0.0.1:7071"
            let response = await other.backend.responder(
                Request(
                    method: request.method, target: String(request.url.dropFirst(base.count)),
                    headers: headers, body: request.body))
            var body: [UInt8] = []
            if case .bytes(let bytes) = response.body { body = bytes }
            return .responded(
                UpstreamResponse(status: response.status, headers: response.headers, body: body))
        }
        let device = await fixture.device()
        await fixture.succeed(
            .patch, "/api/devices/\(device)/apps/mystica",
            json: ["backend": "local", "base": .string(base + "/main/mystica/api/v1")])
        await fixture.submitSuccessfully(
            "/apps/mystica/register/submit",
            [("email", "nora@example.com"), ("password", "correct horse")], device: device)
        return (fixture, other, device)
    }

    /// Checks the state of the newest session in every list, API response and page.
    private func expectState(
        _ state: String, _ fixture: FoyerFixture, _ location: SourceLocation = #_sourceLocation
    ) async throws {
        // Filters and totals first, before any request has read the session.
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
        let appState = await fixture.ask(.get, "/api/devices/\(device)/apps/mystica")
        #expect(appState.json["session"]?["state"]?.string == state, sourceLocation: location)
        let label = state.prefix(1).uppercased() + state.dropFirst()
        let rows = await fixture.page("/sessions?state=\(state)")
        #expect(rows.text.contains("sessions.state\">\(label)<"), sourceLocation: location)
        let page = await fixture.page("/sessions/\(id)?part=state")
        #expect(page.text.contains(">\(label)<"), sourceLocation: location)
    }

    @Test(arguments: ["concurrent", "replay"])
    func `a family ended by reuse is revoked everywhere`(kind: String) async throws {
        let fixture = try await FoyerFixture()
        _ = try await fixture.registered()
        let session = try await fixture.session()
        try await expectState("active", fixture)
        var body: JSON = ["kind": .string(kind)]
        if kind == "replay" {
            await fixture.succeed(.post, "/api/sessions/\(session)/refresh")
            body = ["kind": "replay", "generation": 1]
        }
        await fixture.succeed(.post, "/api/sessions/\(session)/refresh-tests", json: body)
        try await expectState("revoked", fixture)
        let endEvents = fixture.hub.events(in: "main").filter {
            $0.details["kind"] == "endedByServer"
        }
        #expect(endEvents.count == 1)
    }

    @Test func `an administrative sign-out revokes a session before the device notices`()
        async throws
    {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        let list = await fixture.ask(.get, "/api/accounts")
        let account = try #require(list.json["items"]?[0]?["id"]?.string)
        await fixture.succeed(.patch, "/api/accounts/\(account)", json: ["signOut": true])
        try await expectState("revoked", fixture)
        // The device still holds its tokens, and they can still be probed.
        let id = try await fixture.session()
        let probe = await fixture.ask(.post, "/api/tokens/probe", json: ["session": .string(id)])
        #expect(probe.json["accepted"] == false)
        try await expectState("revoked", fixture)
        let counted = await fixture.ask(.get, "/api/sessions?outOfSync=true")
        #expect(counted.json["total"] == 1)
        // The relaunch makes the device notice, which ends its session.
        await fixture.succeed(.post, "/api/devices/\(device)/apps/mystica/relaunch")
        let read = await fixture.ask(.get, "/api/sessions/\(id)")
        #expect(read.json["endedAt"]?.string != nil)
    }

    @Test func `an open session older than hundreds of ended ones is revoked too`() async throws {
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

    @Test func `a disabled account is counted before its session is read`() async throws {
        let fixture = try await FoyerFixture()
        _ = try await fixture.registered()
        // The claims of the first token are older than the verification.
        let id = try await fixture.session()
        await fixture.succeed(.post, "/api/sessions/\(id)/refresh")
        let none = await fixture.ask(.get, "/api/sessions?outOfSync=true")
        #expect(none.json["total"] == 0)
        let list = await fixture.ask(.get, "/api/accounts")
        let account = try #require(list.json["items"]?[0]?["id"]?.string)
        for (isDisabled, count) in [(true, 1), (false, 0)] {
            await fixture.succeed(
                .patch, "/api/accounts/\(account)", json: ["disabled": .bool(isDisabled)])
            let found = await fixture.ask(.get, "/api/sessions?outOfSync=true")
            #expect(found.json["total"] == .int(Int64(count)))
        }
    }

    @Test func `a real backend's rejection is reported everywhere`() async throws {
        let (fixture, other, _) = try await makeFixtureWithRemoteBackend()
        let id = try await fixture.session()
        let before = await fixture.page("/sessions/\(id)")
        #expect(!before.text.contains("Still accepted"))
        try await expectState("active", fixture)
        let list = await other.ask(.get, "/api/accounts")
        let account = try #require(list.json["items"]?[0]?["id"]?.string)
        _ = await other.ask(.patch, "/api/accounts/\(account)", json: ["signOut": true])
        try await expectState("active", fixture)
        await fixture.succeed(.post, "/api/tokens/probe", json: ["session": .string(id)])
        try await expectState("revoked", fixture)
        let after = await fixture.page("/sessions/\(id)")
        #expect(after.text.contains("Rejected just now"))
        #expect(!after.text.contains("Still accepted"))
        #expect(!after.text.contains("Requests are accepted"))
    }

    @Test func `an expired session is reported, not counted, and documented so`() async throws {
        let fixture = try await FoyerFixture()
        _ = try await fixture.registered()
        let id = try await fixture.session()
        // The claims of the first token are older than the verification.
        await fixture.succeed(.post, "/api/sessions/\(id)/refresh")
        fixture.frozen.advance(by: 7_200)
        try await expectState("expired", fixture)
        let read = await fixture.ask(.get, "/api/sessions/\(id)").json
        #expect(read["discrepancyCount"] == 0)
        #expect(read["discrepancies"]?[0]?["kind"] == "expired")
        let page = await fixture.page("/sessions/\(id)")
        #expect(page.text.contains("not counted in lists"))
        let api = await fixture.ask(.get, "/api/openapi.json").json
        let description = api["components"]?["schemas"]?["Session"]?["properties"]?[
            "discrepancyCount"]?[
                "description"]?.string
        #expect(description?.contains("expired") == true)
    }
}
