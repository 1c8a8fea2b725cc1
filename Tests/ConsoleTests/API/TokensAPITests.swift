import Backend
import FoundationEssentials
import Simulator
import Support
import Surroundings
import Testing
import Traffic
import Web

/// Tokens taken apart, backends asked, and refreshes made on purpose, over
/// the real embedded backend.
@Suite(.timeLimit(.minutes(10))) struct TokensAPITests {
    private func stored(_ house: WholeHouse, _ device: String, _ key: String) async throws -> String
    {
        let item = await house.ask(.get, "/api/devices/\(device)/apps/mystica/storage/\(key)")
        return try #require(item.json["value"]?.string)
    }

    private func inspect(_ house: WholeHouse, _ token: String) async -> JSON {
        await house.ask(.post, "/api/tokens/inspect", json: ["token": .string(token)]).json
    }

    private func trial(_ house: WholeHouse, _ session: String, _ body: JSON) async -> (
        status: Int, json: JSON
    ) {
        let answer = await house.ask(.post, "/api/sessions/\(session)/trials", json: body)
        return (answer.status, answer.json)
    }

    private func kinds(_ house: WholeHouse, _ session: String) async -> [String] {
        let json = await house.ask(.get, "/api/sessions/\(session)").json
        guard case .array(let all)? = json["disagreements"] else { return [] }
        return all.compactMap { $0["kind"]?.string }
    }

    // MARK: Inspect

    @Test func `a token of ours is judged by its key, its end apart`() async throws {
        let house = try await WholeHouse()
        let device = try await house.registered()
        let token = try await stored(house, device, "mystica_access_token")
        let fresh = await inspect(house, "Bearer " + token)
        #expect(fresh["verdict"]?["signature"] == "verified")
        #expect(fresh["verdict"]?["contract"] == "mystica")
        #expect(fresh["expiry"]?["state"] == "valid")
        #expect(fresh["claims"]?["email"] == "nora@example.com")
        house.frozen.advance(by: 7_200)
        let late = await inspect(house, token)
        #expect(late["verdict"]?["signature"] == "verified")
        #expect(late["expiry"]?["state"] == "expired")
        #expect(late["expiry"]?["secondsLeft"]?.int ?? 0 < 0)
    }

    @Test(arguments: [
        ("opaque-value", "opaque", "unknown", "everything"),
        ("eyJhbGciOiJub25lIn0.e30.", "unsigned", "noEnd", "signature"),
        (
            "eyJhbGciOiJSUzI1NiIsImtpZCI6IngifQ.eyJuYmYiOjQ4MDAwMDAwMDB9.c2ln", "unverified",
            "notYet", "signature"
        ),
    ]) func `what cannot be checked is said, and why`(
        token: String, signature: String, expiry: String, open: String
    ) async throws {
        let house = try await WholeHouse()
        let reading = await inspect(house, token)
        #expect(reading["verdict"]?["signature"]?.string == signature)
        #expect(reading["expiry"]?["state"]?.string == expiry)
        #expect(reading["unchecked"]?[0]?["what"]?.string == open)
        #expect(reading["unchecked"]?[0]?["why"]?.string?.isEmpty == false)
    }

    @Test func `a changed token of ours is wrong`() async throws {
        let house = try await WholeHouse()
        let device = try await house.registered()
        let token = try await stored(house, device, "mystica_access_token")
        let reading = await inspect(house, token.dropLast(6) + "AAAAAA")
        #expect(reading["verdict"]?["signature"] == "invalid")
    }

    @Test func `a token that is too long is told that alone`() async throws {
        let house = try await WholeHouse()
        let answer = await inspect(house, String(repeating: "a", count: 65_537))
        #expect(answer["detail"] == "/token is longer than 65536 bytes.", "\(answer)")
        #expect(await inspect(house, "")["detail"] == "/token is empty.")
    }

    @Test func `an inspected token is kept nowhere and told to nobody`() async throws {
        let house = try await WholeHouse()
        let before = house.hub.events(in: "main").count
        _ = await inspect(house, "secret-opaque-value")
        #expect(house.hub.events(in: "main").count == before)
        #expect(try await house.exchanges.list(ExchangeQuery(workspace: "main")).total == 0)
    }

    @Test(arguments: [
        ("{}", "/token", "missing"), (#"{"token":""}"#, "/token", "empty"),
        (#"{"token":7}"#, "/token", "string"), (#"{"token":"a","more":1}"#, "/more", "unknown"),
    ]) func `what is wrong with the body is named`(body: String, pointer: String, why: String)
        async throws
    {
        let house = try await WholeHouse()
        let answer = await house.ask(.post, "/api/tokens/inspect", json: try JSON(parsing: body))
        #expect(answer.status == 400)
        #expect(answer.json["errors"]?[0]?["pointer"]?.string == pointer)
        #expect(answer.json["errors"]?[0]?["detail"]?.string?.contains(why) == true)
    }

    // MARK: Probe

    @Test func `a probe asks the real contract and changes nothing`() async throws {
        let house = try await WholeHouse()
        let device = try await house.registered()
        let session = try await house.session()
        let token = try await stored(house, device, "mystica_access_token")
        let probe = await house.ask(.post, "/api/tokens/probe", json: ["session": .string(session)])
        #expect(probe.json["accepted"] == true)
        #expect(probe.json["status"] == 200)
        let id = try #require(probe.json["exchange"]?.string)
        let exchange = await house.ask(.get, "/api/exchanges/\(id)").json
        #expect(exchange["cause"] == "probe")
        #expect(try await stored(house, device, "mystica_access_token") == token)
    }

    @Test func `a probe of nothing, of nobody and with nonsense is refused`() async throws {
        let house = try await WholeHouse()
        for (body, status) in [
            (["session": "ses_none"], 404), ([:], 400),
            (["session": "s", "token": "x"], 400),
            (["session": "s", "token": 0], 400),
            (["session": "s", "other": 1], 400),
        ] as [(JSON, Int)] {
            let answer = await house.ask(.post, "/api/tokens/probe", json: body)
            #expect(answer.status == status, "\(body)")
        }
        _ = try await house.registered()
        let answer = await house.ask(
            .post, "/api/tokens/probe",
            json: ["session": .string(try await house.session()), "token": 99])
        #expect(answer.status == 409)
    }

    // MARK: Truth and trials

    @Test func `a verification the token does not know is named and mended`() async throws {
        let house = try await WholeHouse()
        _ = try await house.registered()
        let session = try await house.session()
        #expect(await kinds(house, session) == ["verifiedStale"])
        let marked = await house.ask(.get, "/api/sessions?disagrees=true")
        #expect(marked.json["total"] == 1)
        await house.succeed(.post, "/api/sessions/\(session)/refresh")
        #expect(await kinds(house, session).isEmpty)
        let none = await house.ask(.get, "/api/sessions?disagrees=true")
        #expect(none.json["total"] == 0)
    }

    @Test func `two tabs end a strict family, and the phone does not know`() async throws {
        let house = try await WholeHouse()
        _ = try await house.registered()
        let session = try await house.session()
        let race = await trial(house, session, ["kind": "race"])
        guard case .array(let sendings)? = race.json["sendings"] else {
            Issue.record("no sendings in \(race.json)")
            return
        }
        #expect(Set(sendings.compactMap { $0["outcome"]?.string }) == ["kept", "refused"])
        let read = await house.ask(.get, "/api/sessions/\(session)").json
        #expect(read["state"] == "revoked")
        #expect(read["family"]?["revokedBecause"] == "refresh token reused")
        #expect(await kinds(house, session).contains("revoked"))
        let page = await house.page("/sessions/\(session)")
        #expect(page.text.contains("all revoked"))
        #expect(page.text.contains("it ended the family"))
        let probe = await house.ask(.post, "/api/tokens/probe", json: ["session": .string(session)])
        #expect(probe.json["accepted"] == false)
    }

    @Test func `a replayed generation ends its family`() async throws {
        let house = try await WholeHouse()
        _ = try await house.registered()
        let session = try await house.session()
        await house.succeed(.post, "/api/sessions/\(session)/refresh")
        let replay = await trial(house, session, ["kind": "replay", "generation": 1])
        #expect(replay.json["sendings"]?[0]?["outcome"] == "refused")
        #expect(replay.json["sendings"]?[0]?["status"] == 401)
        let read = await house.ask(.get, "/api/sessions/\(session)").json
        let first = read["family"]?["refreshTokens"]?[0]
        #expect(first?["reusedAt"]?.string != nil)
        #expect(read["keptTokens"]?[0]?["masked"]?.string?.contains("…") == true)
    }

    @Test func `after a lost answer another generation is current`() async throws {
        let house = try await WholeHouse()
        _ = try await house.registered()
        let session = try await house.session()
        let lost = await trial(house, session, ["kind": "lostAnswer"])
        #expect(lost.json["sendings"]?[0]?["outcome"] == "taken")
        #expect(await kinds(house, session).contains("otherGeneration"))
        let id = try #require(lost.json["sendings"]?[0]?["exchange"]?.string)
        let exchange = await house.ask(.get, "/api/exchanges/\(id)").json
        #expect(exchange["condition"] == "connection reset after 200, 1 of 1")
    }

    @Test(arguments: [
        ("{}", "/kind"), (#"{"kind":"rest"}"#, "/kind"), (#"{"kind":"replay"}"#, "/generation"),
        (#"{"kind":"replay","generation":-1}"#, "/generation"),
        (#"{"kind":"race","generation":1}"#, "/generation"), (#"{"kind":"race","x":1}"#, "/x"),
    ]) func `a trial that cannot be meant is told`(body: String, pointer: String) async throws {
        let house = try await WholeHouse()
        _ = try await house.registered()
        let answer = await trial(house, try await house.session(), try JSON(parsing: body))
        #expect(answer.status == 400)
        #expect(answer.json["errors"]?[0]?["pointer"]?.string == pointer)
    }

    @Test func `a session that is over has no token to race with`() async throws {
        let house = try await WholeHouse()
        _ = try await house.registered()
        let session = try await house.session()
        await house.succeed(.delete, "/api/sessions/\(session)")
        #expect(await trial(house, session, ["kind": "race"]).status == 409)
        let probe = await house.ask(.post, "/api/tokens/probe", json: ["session": .string(session)])
        #expect(probe.json["accepted"] == false)
    }

    @Test(arguments: ["disagrees=yes", "disagrees="]) func `the filter is on or not asked for`(
        query: String
    ) async throws {
        let house = try await WholeHouse()
        for path in ["/api/sessions?", "/sessions?"] {
            let answer = await house.ask(.get, path + query)
            #expect(answer.status == 400)
            #expect(answer.json["errors"]?[0]?["pointer"] == "?disagrees")
        }
    }
}
