import Backend
import Core
import FoundationEssentials
import Simulator
import Support
import Testing
import Traffic
import Web

/// The token inspector, probes and refresh tests, with the embedded backend.
@Suite(.timeLimit(.minutes(10))) struct TokensAPITests {
    private func stored(_ fixture: FoyerFixture, _ device: String, _ key: String) async throws
        -> String
    {
        let item = await fixture.ask(.get, "/api/devices/\(device)/apps/mystica/storage/\(key)")
        return try #require(item.json["value"]?.string)
    }

    private func inspect(_ fixture: FoyerFixture, _ token: String) async -> JSON {
        await fixture.ask(.post, "/api/tokens/inspect", json: ["token": .string(token)]).json
    }

    private func refreshTest(_ fixture: FoyerFixture, _ session: String, _ body: JSON) async -> (
        status: Int, json: JSON
    ) {
        let response = await fixture.ask(
            .post, "/api/sessions/\(session)/refresh-tests", json: body)
        return (response.status, response.json)
    }

    private func discrepancyKinds(_ fixture: FoyerFixture, _ session: String) async -> [String] {
        let json = await fixture.ask(.get, "/api/sessions/\(session)").json
        guard case .array(let all)? = json["discrepancies"] else { return [] }
        return all.compactMap { $0["kind"]?.string }
    }

    // MARK: Inspect

    @Test func `an embedded backend's token is verified by its key, expired or not`() async throws {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        let token = try await stored(fixture, device, "mystica_access_token")
        let fresh = await inspect(fixture, "Bearer " + token)
        #expect(fresh["verdict"]?["signature"] == "verified")
        #expect(fresh["verdict"]?["contract"] == "mystica")
        #expect(fresh["expiry"]?["state"] == "valid")
        #expect(fresh["claims"]?["email"] == "nora@example.com")
        fixture.frozen.advance(by: 7_200)
        let late = await inspect(fixture, token)
        #expect(late["verdict"]?["signature"] == "verified")
        #expect(late["expiry"]?["state"] == "expired")
        #expect(late["expiry"]?["secondsLeft"]?.int ?? 0 < 0)
    }

    @Test(arguments: [
        ("opaque-value", "opaque", "unknown", "everything"),
        ("eyJhbGciOiJub25lIn0.e30.", "unsigned", "noExpiry", "signature"),
        (
            "eyJhbGciOiJSUzI1NiIsImtpZCI6IngifQ.eyJuYmYiOjQ4MDAwMDAwMDB9.c2ln", "unverified",
            "notYetValid", "signature"
        ),
    ]) func `properties that cannot be verified are listed with a reason`(
        token: String, signature: String, expiry: String, uncheckedItem: String
    ) async throws {
        let fixture = try await FoyerFixture()
        let reading = await inspect(fixture, token)
        #expect(reading["verdict"]?["signature"]?.string == signature)
        #expect(reading["expiry"]?["state"]?.string == expiry)
        #expect(reading["unchecked"]?[0]?["name"]?.string == uncheckedItem)
        #expect(reading["unchecked"]?[0]?["reason"]?.string?.isEmpty == false)
    }

    @Test func `a changed token of the embedded backend has an invalid signature`() async throws {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        let token = try await stored(fixture, device, "mystica_access_token")
        let reading = await inspect(fixture, token.dropLast(6) + "AAAAAA")
        #expect(reading["verdict"]?["signature"] == "invalid")
    }

    @Test func `a too long or empty token is reported as such`() async throws {
        let fixture = try await FoyerFixture()
        let response = await inspect(fixture, String(repeating: "a", count: 65_537))
        #expect(response["detail"] == "/token is longer than 65536 bytes.", "\(response)")
        #expect(await inspect(fixture, "")["detail"] == "/token is empty.")
    }

    @Test func `an inspected token is neither stored nor published as an event`() async throws {
        let fixture = try await FoyerFixture()
        let before = fixture.hub.events(in: "main").count
        _ = await inspect(fixture, "secret-opaque-value")
        #expect(fixture.hub.events(in: "main").count == before)
        #expect(try await fixture.exchanges.list(ExchangeQuery(workspace: "main")).total == 0)
    }

    @Test(arguments: [
        ("{}", "/token", "missing"), (#"{"token":""}"#, "/token", "empty"),
        (#"{"token":7}"#, "/token", "string"), (#"{"token":"a","more":1}"#, "/more", "unknown"),
    ]) func `an invalid body field is named`(body: String, pointer: String, reason: String)
        async throws
    {
        let fixture = try await FoyerFixture()
        let response = await fixture.ask(
            .post, "/api/tokens/inspect", json: try JSON(parsing: body))
        #expect(response.status == 400)
        #expect(response.json["errors"]?[0]?["pointer"]?.string == pointer)
        #expect(response.json["errors"]?[0]?["detail"]?.string?.contains(reason) == true)
    }

    // MARK: Probe

    @Test func `a probe calls the real contract and changes nothing`() async throws {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        let session = try await fixture.session()
        let token = try await stored(fixture, device, "mystica_access_token")
        let probe = await fixture.ask(
            .post, "/api/tokens/probe", json: ["session": .string(session)])
        #expect(probe.json["accepted"] == true)
        #expect(probe.json["status"] == 200)
        let id = try #require(probe.json["exchange"]?.string)
        let exchange = await fixture.ask(.get, "/api/exchanges/\(id)").json
        #expect(exchange["cause"] == "probe")
        #expect(try await stored(fixture, device, "mystica_access_token") == token)
    }

    @Test func `a probe of an unknown session or an invalid token number is rejected`() async throws
    {
        let fixture = try await FoyerFixture()
        for (body, status) in [
            (["session": "ses_none"], 404), ([:], 400),
            (["session": "s", "token": "x"], 400),
            (["session": "s", "token": 0], 400),
            (["session": "s", "other": 1], 400),
        ] as [(JSON, Int)] {
            let response = await fixture.ask(.post, "/api/tokens/probe", json: body)
            #expect(response.status == status, "\(body)")
        }
        _ = try await fixture.registered()
        let response = await fixture.ask(
            .post, "/api/tokens/probe",
            json: ["session": .string(try await fixture.session()), "token": 99])
        #expect(response.status == 409)
    }

    // MARK: Discrepancies and refresh tests

    @Test func `a stale verification claim is reported and fixed by a refresh`() async throws {
        let fixture = try await FoyerFixture()
        _ = try await fixture.registered()
        let session = try await fixture.session()
        #expect(await discrepancyKinds(fixture, session) == ["staleEmailVerification"])
        let marked = await fixture.ask(.get, "/api/sessions?outOfSync=true")
        #expect(marked.json["total"] == 1)
        await fixture.succeed(.post, "/api/sessions/\(session)/refresh")
        #expect(await discrepancyKinds(fixture, session).isEmpty)
        let none = await fixture.ask(.get, "/api/sessions?outOfSync=true")
        #expect(none.json["total"] == 0)
    }

    @Test func `concurrent refreshes revoke a strict family unnoticed by the device`() async throws
    {
        let fixture = try await FoyerFixture()
        _ = try await fixture.registered()
        let session = try await fixture.session()
        let race = await refreshTest(fixture, session, ["kind": "concurrent"])
        guard case .array(let attempts)? = race.json["requests"] else {
            Issue.record("no sendings in \(race.json)")
            return
        }
        #expect(Set(attempts.compactMap { $0["outcome"]?.string }) == ["stored", "rejected"])
        let read = await fixture.ask(.get, "/api/sessions/\(session)").json
        #expect(read["state"] == "revoked")
        #expect(read["family"]?["revocationReason"] == "refresh token reused")
        #expect(await discrepancyKinds(fixture, session).contains("revoked"))
        let page = await fixture.page("/sessions/\(session)")
        #expect(page.text.contains("Family revoked"))
        #expect(page.text.contains("it revoked the family"))
        let probe = await fixture.ask(
            .post, "/api/tokens/probe", json: ["session": .string(session)])
        #expect(probe.json["accepted"] == false)
    }

    @Test func `replaying an old generation revokes its family`() async throws {
        let fixture = try await FoyerFixture()
        _ = try await fixture.registered()
        let session = try await fixture.session()
        await fixture.succeed(.post, "/api/sessions/\(session)/refresh")
        let replay = await refreshTest(fixture, session, ["kind": "replay", "generation": 1])
        #expect(replay.json["requests"]?[0]?["outcome"] == "rejected")
        #expect(replay.json["requests"]?[0]?["status"] == 401)
        let read = await fixture.ask(.get, "/api/sessions/\(session)").json
        let first = read["family"]?["refreshTokens"]?[0]
        #expect(first?["reusedAt"]?.string != nil)
        #expect(read["archivedTokens"]?[0]?["masked"]?.string?.contains("…") == true)
    }

    @Test func `after a lost response the server is at another generation`() async throws {
        let fixture = try await FoyerFixture()
        _ = try await fixture.registered()
        let session = try await fixture.session()
        let dropped = await refreshTest(fixture, session, ["kind": "dropResponse"])
        #expect(dropped.json["requests"]?[0]?["outcome"] == "accepted")
        #expect(await discrepancyKinds(fixture, session).contains("generationMismatch"))
        let id = try #require(dropped.json["requests"]?[0]?["exchange"]?.string)
        let exchange = await fixture.ask(.get, "/api/exchanges/\(id)").json
        #expect(exchange["fault"] == "connection reset after 200, 1 of 1")
    }

    @Test(arguments: [
        ("{}", "/kind"), (#"{"kind":"rest"}"#, "/kind"), (#"{"kind":"replay"}"#, "/generation"),
        (#"{"kind":"replay","generation":-1}"#, "/generation"),
        (#"{"kind":"concurrent","generation":1}"#, "/generation"),
        (#"{"kind":"concurrent","x":1}"#, "/x"),
    ]) func `an invalid field of a refresh test is named`(body: String, pointer: String)
        async throws
    {
        let fixture = try await FoyerFixture()
        _ = try await fixture.registered()
        let response = await refreshTest(
            fixture, try await fixture.session(), try JSON(parsing: body))
        #expect(response.status == 400)
        #expect(response.json["errors"]?[0]?["pointer"]?.string == pointer)
    }

    @Test func `a signed-out session rejects refresh tests and has no accepted token`() async throws
    {
        let fixture = try await FoyerFixture()
        _ = try await fixture.registered()
        let session = try await fixture.session()
        await fixture.succeed(.delete, "/api/sessions/\(session)")
        #expect(await refreshTest(fixture, session, ["kind": "concurrent"]).status == 409)
        let probe = await fixture.ask(
            .post, "/api/tokens/probe", json: ["session": .string(session)])
        #expect(probe.json["accepted"] == false)
    }

    @Test(arguments: ["disagrees=yes", "disagrees="])
    func `the filter for discrepancies accepts only true`(
        query: String
    ) async throws {
        let fixture = try await FoyerFixture()
        for path in ["/api/sessions?", "/sessions?"] {
            let response = await fixture.ask(.get, path + query)
            #expect(response.status == 400)
            #expect(response.json["errors"]?[0]?["parameter"] == "disagrees")
        }
    }
}
