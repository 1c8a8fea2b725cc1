import Console
import Support
import Testing
import Web

/// The storyboard, the walkthrough and the comparison of tokens, as JSON.
@Suite(.timeLimit(.minutes(10))) struct StoryboardAPITests {
    @Test func `a state has its steps once it was read`() async throws {
        let fixture = try await FoyerFixture()
        let path = "/api/apps/mystica/states"
        let list = await fixture.ask(.get, path + "?screen=login&kind=failure").json
        let first = try #require(list["items"]?[0])
        #expect(first["result"] == "notPlayed")
        #expect(first["steps"] == [])
        #expect(first["tile"]?.string?.hasPrefix("/storyboard/mystica/login/") == true)
        #expect(first["sizes"]?.elements.contains("ipad") == true)
        let name = try #require(first["state"]?.string)
        let played = await fixture.ask(.get, "\(path)/login/\(name)").json
        #expect(played["result"] == "reached")
        #expect((played["steps"]?.elements ?? []).isEmpty == false)
        let again = await fixture.ask(.get, path + "?screen=login&kind=failure").json
        #expect(again["items"]?[0]?["steps"] == played["steps"])
        #expect(await fixture.ask(.post, path + "/render").status == 204)
        let discarded = await fixture.ask(.get, path + "?screen=login&kind=failure").json
        #expect(discarded["items"]?[0]?["result"] == "notPlayed")
        #expect(
            await fixture.ask(.post, "\(path)/login/\(name)/render").json["result"] == "reached")
    }

    @Test func `an unknown screen, kind or state is an error that lists the valid ones`()
        async throws
    {
        let fixture = try await FoyerFixture()
        #expect(await fixture.ask(.get, "/api/apps/mystica/states?screen=x").status == 404)
        let kind = await fixture.ask(.get, "/api/apps/mystica/states?kind=x")
        #expect(kind.status == 400)
        #expect(kind.json["errors"]?[0]?["parameter"] == "kind")
        let state = await fixture.ask(.get, "/api/apps/mystica/states/login/x")
        #expect(state.json["detail"]?.string?.contains("default") == true)
    }

    @Test func `the texts of an app are listed with their places`() async throws {
        let fixture = try await FoyerFixture()
        let path = "/api/apps/mystica/texts"
        let all = await fixture.ask(.get, path).json
        let some = await fixture.ask(.get, path + "?source=manifest&screen=login").json
        #expect(all["total"]?.int ?? 0 > some["total"]?.int ?? 0)
        #expect(some["items"]?[0]?["file"] == "app.json5")
        #expect(some["items"]?[0]?["screens"]?.elements.contains("login") == true)
    }

    @Test func `a walkthrough starts, moves from step to step and ends`() async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        let path = "/api/devices/\(device)/apps/mystica/walkthrough"
        let steps = await fixture.ask(.get, "/api/apps/mystica/walkthrough").json["items"]
        #expect(steps?[0]?["edgeCases"] != nil)
        #expect(await fixture.ask(.get, path).status == 404)
        let first = await fixture.ask(.post, path)
        #expect(first.json["step"] == steps?[0]?["id"])
        #expect(first.json["workspace"] != "main")
        let second = await fixture.ask(.post, path)
        #expect(second.json["step"] == steps?[1]?["id"])
        #expect(await fixture.ask(.post, path, json: ["step": "nowhere"]).status == 404)
        let last = steps?.elements.last?["id"] ?? .null
        #expect(await fixture.ask(.post, path, json: ["step": last]).json["step"] == last)
        #expect(await fixture.ask(.post, path).status == 409)
        #expect(await fixture.ask(.delete, path).status == 204)
        #expect(await fixture.ask(.get, path).status == 404)
    }

    @Test func `two tokens are compared member by member`() async throws {
        let fixture = try await FoyerFixture()
        let compared = await fixture.ask(
            .post, "/api/tokens/compare",
            json: [
                "token": "eyJhbGciOiJub25lIn0.eyJzdWIiOiI0MiJ9.",
                "second": "eyJhbGciOiJub25lIn0.eyJzdWIiOiI0MyJ9.",
            ])
        let row = compared.json["rows"]?.elements.first { $0["name"] == "sub" }
        #expect(row?["kind"] == "changed")
        #expect(row?["before"] == "42")
        _ = try await fixture.registered()
        let session = try await fixture.session()
        let path = "/api/sessions/\(session)/compare"
        #expect(
            await fixture.ask(.get, path + "?from=x").json["errors"]?[0]?["parameter"] == "from")
        #expect(await fixture.ask(.get, path + "?from=900").status == 404)
        let same = await fixture.ask(.get, path).json["rows"]?.elements ?? []
        #expect(same.allSatisfy { $0["kind"] == "unchanged" })
    }
}
