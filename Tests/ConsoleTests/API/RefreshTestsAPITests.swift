import Support
import Testing
import Web

/// How the API and the page label a refresh family after refresh tests, with a backend that has a
/// grace period for reused tokens.
@Suite(.timeLimit(.minutes(10))) struct RefreshTestsAPITests {
    /// A new session of Bob, in a leased workspace.
    private struct SeededSession {
        let fixture: FoyerFixture
        let workspace: String
        let session: String

        init() async throws {
            fixture = try await FoyerFixture()
            let lease = try await fixture.leaseWorkspace([
                "seed": ["app": "bob", "state": "signedIn"]
            ])
            workspace = lease.id
            session = try #require(lease.json["session"]?.string)
        }

        func send(_ method: Web.Method, _ path: String = "", _ body: JSON? = nil) async -> JSON {
            await fixture.ask(
                method, "/api/sessions/\(session)\(path)", json: body,
                headers: [("X-Foyer-Workspace", workspace)]
            ).json
        }

        func replay(_ body: JSON) async -> JSON {
            await send(.post, "/refresh-tests", body)["requests"]?[0] ?? .null
        }

        func archivedToken(_ name: String) async throws -> JSON {
            guard case .array(let all)? = await send(.get)["archivedTokens"] else { return .null }
            return try #require(
                all.first { $0["kind"] == "refresh" && $0["name"] == .string(name) })
        }

        func page() async -> String {
            await fixture.page("/sessions/\(session)", workspace: workspace).text
        }

        /// Repeats concurrent refreshes until the tab whose response is stored is, or is not, the
        /// one the server processed first.
        static func afterConcurrentRefresh(rivalFirst: Bool) async throws -> SeededSession? {
            for _ in 0..<12 {
                let seeded = try await SeededSession()
                _ = await seeded.send(.post, "/refresh-tests", ["kind": "concurrent"])
                let otherTab = try await seeded.archivedToken("2b")
                if (otherTab["serverGeneration"]?.int == 2) == rivalFirst { return seeded }
            }
            return nil
        }
    }

    @Test func `a replay by generation does not use the other client's token`() async throws {
        let seeded = try await SeededSession()
        _ = await seeded.send(.post, "/refresh-tests", ["kind": "concurrent"])
        let before = try await seeded.archivedToken("2b")
        let attempt = await seeded.replay(["kind": "replay", "generation": 2])
        #expect(attempt["outcome"] == "accepted")
        #expect(attempt["reason"]?.string?.hasPrefix("Generation 2, used elsewhere") == true)
        let read = await seeded.send(.get)
        let otherTab = try #require(before["serverGeneration"]?.int)
        guard case .array(let issued)? = read["family"]?["refreshTokens"] else { return }
        let own: Int64 = otherTab == 2 ? 3 : 2
        for token in issued {
            let number = token["generation"]?.int
            if number == otherTab { #expect(token["usedAt"] == .null) }
            if number == own { #expect(token["usedAt"]?.string != nil) }
        }
    }

    @Test func `the other client's token is shown with its own label`() async throws {
        let seeded = try await SeededSession()
        _ = await seeded.send(.post, "/refresh-tests", ["kind": "concurrent"])
        let otherTab = try await seeded.archivedToken("2b")
        let page = await seeded.page()
        #expect(page.contains(">Generation 2b, second client<"))
        // The device's current token is not listed as an old one.
        #expect(!page.contains(">Generation 2<"))
        let attempt = await seeded.replay(["kind": "replay", "token": otherTab["number"] ?? .null])
        #expect(attempt["outcome"] == "accepted")
        let after = await seeded.page()
        #expect(after.contains("Generation 2b used elsewhere"))
        #expect(after.contains("it issued 3b"))
    }

    @Test func `the new token of a replay is labeled with the server's generation`() async throws {
        let seeded = try await SeededSession()
        for _ in 0..<2 { _ = await seeded.send(.post, "/refresh") }
        for (name, server) in [("2b", 4), ("2c", 5)] {
            _ = await seeded.replay(["kind": "replay", "generation": 1])
            #expect(try await seeded.archivedToken(name)["serverGeneration"]?.int == Int64(server))
            let page = await seeded.page()
            #expect(page.contains("it issued \(name)"))
            #expect(page.contains("server #\(server)"))
        }
        #expect(!(await seeded.page()).contains("made generation"))
    }

    @Test(arguments: [false, true])
    func `generations of the device and of the server are shown separately`(
        rivalFirst: Bool
    ) async throws {
        guard let seeded = try await SeededSession.afterConcurrentRefresh(rivalFirst: rivalFirst)
        else { return }
        let read = await seeded.send(.get)
        guard case .array(let views)? = read["comparison"] else { return }
        let view = views.first { $0["field"] == "generation" }
        #expect(view?["device"]?.string == (rivalFirst ? "2, server #3" : "2"))
        #expect(view?["server"] == "3")
        let list = await seeded.fixture.page("/sessions", workspace: seeded.workspace)
        #expect(list.text.contains("cell-refreshes end\">1<"))
        let page = await seeded.page()
        #expect(page.contains("2, server #3") == rivalFirst)
    }

    @Test func `an unused token is not reported as used`() async throws {
        let seeded = try await SeededSession()
        _ = await seeded.send(.post, "/refresh")
        _ = await seeded.replay(["kind": "replay", "generation": 1])
        let read = await seeded.send(.get)
        #expect(read["family"]?["refreshTokens"]?[1]?["usedAt"] == .null)
        let other = read["discrepancies"]?[0]
        #expect(other?["kind"] == "generationMismatch")
        #expect(
            other?["explanation"]?.string
                == "Generation 2 is unused. Another branch is at server #3.")
        #expect(other?["fix"] == "A refresh now would be its first use.")
    }

    @Test(arguments: [
        (#"{"kind":"replay","generation":1,"token":1}"#, "/token"),
        (#"{"kind":"concurrent","token":1}"#, "/token"),
        (#"{"kind":"replay","token":0}"#, "/token"),
    ]) func `an invalid token number is reported`(body: String, pointer: String) async throws {
        let seeded = try await SeededSession()
        let response = await seeded.send(.post, "/refresh-tests", try JSON(parsing: body))
        #expect(response["errors"]?[0]?["pointer"]?.string == pointer)
    }
}
