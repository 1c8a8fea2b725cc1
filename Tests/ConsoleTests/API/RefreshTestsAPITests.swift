import Support
import Testing
import Web

/// What a family is called after refreshes made on purpose, in the API and on
/// the page, over a backend that forgives a second use for a while.
@Suite(.timeLimit(.minutes(10))) struct RefreshTestsAPITests {
    /// Somebody of Bob's who just signed in.
    private struct Phone {
        let house: FoyerFixture
        let workspace: String
        let session: String

        init() async throws {
            house = try await FoyerFixture()
            let lease = try await house.leased(["seed": ["app": "bob", "state": "signedIn"]])
            workspace = lease.id
            session = try #require(lease.json["session"]?.string)
        }

        func ask(_ method: Web.Method, _ path: String = "", _ body: JSON? = nil) async -> JSON {
            await house.ask(
                method, "/api/sessions/\(session)\(path)", json: body,
                headers: [("X-Foyer-Workspace", workspace)]
            ).json
        }

        func replay(_ body: JSON) async -> JSON {
            await ask(.post, "/trials", body)["sendings"]?[0] ?? .null
        }

        func kept(_ name: String) async throws -> JSON {
            guard case .array(let all)? = await ask(.get)["keptTokens"] else { return .null }
            return try #require(
                all.first { $0["kind"] == "refresh" && $0["name"] == .string(name) })
        }

        func page() async -> String {
            await house.page("/sessions/\(session)", workspace: workspace).text
        }

        /// Races until the tab that is heard first is, or is not, the one
        /// the server saw first.
        static func raced(rivalFirst: Bool) async throws -> Phone? {
            for _ in 0..<12 {
                let phone = try await Phone()
                _ = await phone.ask(.post, "/trials", ["kind": "race"])
                let rival = try await phone.kept("2b")
                if (rival["serverGeneration"]?.int == 2) == rivalFirst { return phone }
            }
            return nil
        }
    }

    @Test func `a replay by generation leaves the other tab's token alone`() async throws {
        let phone = try await Phone()
        _ = await phone.ask(.post, "/trials", ["kind": "race"])
        let before = try await phone.kept("2b")
        let sent = await phone.replay(["kind": "replay", "generation": 2])
        #expect(sent["outcome"] == "taken")
        #expect(sent["why"]?.string?.hasPrefix("Generation 2, used elsewhere") == true)
        let read = await phone.ask(.get)
        let rival = try #require(before["serverGeneration"]?.int)
        guard case .array(let issued)? = read["family"]?["refreshTokens"] else { return }
        let own: Int64 = rival == 2 ? 3 : 2
        for token in issued {
            let number = token["generation"]?.int
            if number == rival { #expect(token["usedAt"] == .null) }
            if number == own { #expect(token["usedAt"]?.string != nil) }
        }
    }

    @Test func `the other tab's token is shown by its number`() async throws {
        let phone = try await Phone()
        _ = await phone.ask(.post, "/trials", ["kind": "race"])
        let rival = try await phone.kept("2b")
        let page = await phone.page()
        #expect(page.contains(">generation 2b, the other tab&#39;s<"))
        // What the device holds is not old.
        #expect(!page.contains(">generation 2<"))
        let sent = await phone.replay(["kind": "replay", "token": rival["number"] ?? .null])
        #expect(sent["outcome"] == "taken")
        let after = await phone.page()
        #expect(after.contains("Generation 2b used elsewhere"))
        #expect(after.contains("it brought 3b"))
    }

    @Test func `what a replay made is the server's number, not a guess`() async throws {
        let phone = try await Phone()
        for _ in 0..<2 { _ = await phone.ask(.post, "/refresh") }
        for (name, server) in [("2b", 4), ("2c", 5)] {
            _ = await phone.replay(["kind": "replay", "generation": 1])
            #expect(try await phone.kept(name)["serverGeneration"]?.int == Int64(server))
            let page = await phone.page()
            #expect(page.contains("it brought \(name)"))
            #expect(page.contains("the server&#39;s \(server)"))
        }
        #expect(!(await phone.page()).contains("made generation"))
    }

    @Test(arguments: [false, true]) func `device and server count in numbers that are told apart`(
        rivalFirst: Bool
    ) async throws {
        guard let phone = try await Phone.raced(rivalFirst: rivalFirst) else { return }
        let read = await phone.ask(.get)
        guard case .array(let views)? = read["views"] else { return }
        let view = views.first { $0["fact"] == "generation" }
        #expect(view?["stored"]?.string == (rivalFirst ? "2, the server's 3" : "2"))
        #expect(view?["known"] == "3")
        let list = await phone.house.page("/sessions", workspace: phone.workspace)
        #expect(list.text.contains("cell-generation end\">2<"))
        let page = await phone.page()
        #expect(page.contains("2 current"))
    }

    @Test func `a token nobody used is not said to have been used`() async throws {
        let phone = try await Phone()
        _ = await phone.ask(.post, "/refresh")
        _ = await phone.replay(["kind": "replay", "generation": 1])
        let read = await phone.ask(.get)
        #expect(read["family"]?["refreshTokens"]?[1]?["usedAt"] == .null)
        let other = read["disagreements"]?[0]
        #expect(other?["kind"] == "otherGeneration")
        #expect(
            other?["why"]?.string == "Generation 2 was not used yet; another branch is at the "
                + "server's 3.")
        #expect(other?["mend"] == "Refreshing now is its first use.")
    }

    @Test(arguments: [
        (#"{"kind":"replay","generation":1,"token":1}"#, "/token"),
        (#"{"kind":"race","token":1}"#, "/token"), (#"{"kind":"replay","token":0}"#, "/token"),
    ]) func `a token that cannot be meant is told`(body: String, pointer: String) async throws {
        let phone = try await Phone()
        let answer = await phone.ask(.post, "/trials", try JSON(parsing: body))
        #expect(answer["errors"]?[0]?["pointer"]?.string == pointer)
    }
}
