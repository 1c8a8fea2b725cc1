import SQLite
import Support
import Testing
import Web

@testable import Backend
@testable import Console

/// Identities, second factors and metadata of accounts.
@Suite(.timeLimit(.minutes(10))) struct AccountIdentitiesTests {
    /// An account with an identity at Google and an authenticator app.
    private func account(_ fixture: FoyerFixture) async throws -> String {
        let response = await fixture.ask(
            .post, "/api/accounts", json: ["app": "socoto", "email": "ada@example.com"])
        let id = try #require(response.json["id"]?.string)
        let realm = Realm(workspace: "main", contract: "socoto")
        let now = Timestamp(milliseconds: 1_795_271_727_000)
        try await fixture.backend.context.database.write { connection in
            let account = try #require(try connection.account(id, in: realm))
            let identity = Identity(
                id: "identity-1", provider: "google", subject: "104861",
                data: #"{"email": "ada@gmail.example"}"#, createdAt: now, lastSignInAt: now)
            #expect(try connection.save(identity, of: account))
            try connection.add(
                Factor(
                    id: "factor-1", kind: .totp, name: "Ada's phone", sealedSecret: "sealed",
                    createdAt: now, verifiedAt: now), to: account)
        }
        return id
    }

    @Test func `an account page removes second factors and identities`() async throws {
        let fixture = try await FoyerFixture()
        let id = try await account(fixture)
        let device = await fixture.device()
        let page = await fixture.page("/accounts/\(id)")
        #expect(page.text.contains("ada@gmail.example"))
        #expect(page.text.contains("Ada&#39;s phone"))
        for path in ["factors/factor-1", "identities/identity-1"] {
            let url = "/accounts/\(id)/\(path)/remove"
            #expect(await fixture.page(url).text.contains("Remove"))
            #expect(await fixture.submit(url, [], device: device).location == "/accounts/\(id)")
            // Removed in another tab.
            #expect(await fixture.submit(url, [], device: device).status == 404)
        }
        let detail = await fixture.ask(.get, "/api/accounts/\(id)")
        #expect(detail.json["factors"] == [])
    }

    @Test func `metadata is replaced by a JSON object, and other text stays in the form`()
        async throws
    {
        let fixture = try await FoyerFixture()
        let id = try await account(fixture)
        let device = await fixture.device()
        let url = "/accounts/\(id)/metadata/app_metadata"
        for text in ["[1]", "{", ""] {
            let page = await fixture.submit(url, [("json", text)], device: device)
            #expect(page.status == 422, "\(text)")
            #expect(page.text.contains("metadata-error"))
        }
        let saved = await fixture.submit(url, [("json", #"{"plan": "pro"}"#)], device: device)
        #expect(saved.location == "/accounts/\(id)")
        let detail = await fixture.ask(.get, "/api/accounts/\(id)")
        #expect(detail.json["metadata"]?["app_metadata"]?["plan"] == "pro")
        #expect(await fixture.page("/accounts/\(id)/metadata/nothing").status == 404)
    }

    @Test func `the API changes metadata, factors and identities together or not at all`()
        async throws
    {
        let fixture = try await FoyerFixture()
        let id = try await account(fixture)
        let rejected = await fixture.ask(
            .patch, "/api/accounts/\(id)",
            json: ["removeFactors": ["factor-1"], "metadata": ["nothing": [:]]])
        #expect(rejected.status == 422)
        let changed = await fixture.ask(
            .patch, "/api/accounts/\(id)",
            json: [
                "removeFactors": ["factor-1"], "removeIdentities": ["identity-1"],
                "metadata": ["user_metadata": ["full_name": "Ada King"]],
            ])
        #expect(changed.json["factors"] == [])
        #expect(changed.json["displayName"] == "Ada King")
        let unknown = await fixture.ask(
            .patch, "/api/accounts/\(id)", json: ["removeFactors": ["factor-1"]])
        #expect(unknown.status == 422)
        #expect(unknown.json.description.contains("no factor of the account"))
    }
}
