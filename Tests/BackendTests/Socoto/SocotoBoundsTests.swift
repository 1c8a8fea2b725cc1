import Support
import Testing
import Web

@testable import Backend
@testable import BackendContracts

/// Limits on the size of metadata and profile rows, and on the cost of patterns.
@Suite(.timeLimit(.minutes(10))) struct SocotoBoundsTests {
    private func metadata(_ count: Int, _ prefix: String = "k") -> JSON {
        .object((0..<count).map { .init("\(prefix)\($0)", .string("0123456789")) })
    }

    @Test(arguments: [true, false]) func `metadata beyond 16 KiB is rejected at sign-up`(
        _ isVersioned: Bool
    ) async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        let body: JSON = [
            "email": .string(SocotoClient.email), "password": .string(SocotoClient.password),
            "data": metadata(1_000),
        ]
        let reply = await client.fixture.send(
            client.request(.post, "/auth/v1/signup", body.description, isVersioned: isVersioned))
        #expect(reply.status == 400)
        #expect(reply.json[isVersioned ? "code" : "error_code"] == "validation_failed")
        #expect(await client.signIn().json["code"] == "invalid_credentials")
    }

    @Test func `repeated updates do not grow metadata beyond 16 KiB`() async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        let token = try await client.createUser().accessToken
        var replies: [Reply] = []
        for prefix in ["a", "b", "c", "d"] {
            replies.append(
                await client.send(
                    .put, "/auth/v1/user", ["data": metadata(300, prefix)], bearer: token))
        }
        #expect(replies.map(\.status).contains(400))
        #expect(replies.last?.json["code"] == "validation_failed")
        let stored = await client.user(token).json["user_metadata"]
        #expect((stored?.description.utf8.count ?? 0) <= 16_384)
        #expect(stored?["full_name"] == "Ada Lovelace")
    }

    @Test func `a row beyond 16 KiB is rejected as a check violation`() async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        let token = try await client.createUser().accessToken
        let bio = JSON.string(String(repeating: "x", count: 17_000))
        let update = await client.send(.patch, "/rest/v1/profiles", ["bio": bio], bearer: token)
        #expect(update.status == 400)
        #expect(update.json["code"] == "23514")
        let service = await client.send(
            .patch, "/rest/v1/profiles", ["bio": bio], bearer: client.serviceKey)
        #expect(service.json["code"] == "23514")
        let row = await client.send(.get, "/rest/v1/profiles?bio=not.is.null", bearer: token)
        #expect(row.text == "[]")
    }

    @Test func `of duplicate metadata keys the last counts and null removes a key`() async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        let token = try await client.createUser().accessToken
        let reply = await client.fixture.send(
            client.request(
                .put, "/auth/v1/user",
                #"{"data":{"z":1,"a":1,"a":null,"a":2,"role":1,"role":null}}"#, bearer: token))
        #expect(
            reply.json["user_metadata"]?.description == #"{"a":2,"email_verified":true,"#
                + #""full_name":"Ada Lovelace","z":1}"#)
    }

    /// With a cost of their product for each wildcard this would take hours.
    @Test func `the cost of a pattern is linear in its length and the text's`()
        async throws
    {
        let client = SocotoClient(fixture: try await BackendFixture())
        let name = JSON.string(String(repeating: "a", count: 15_000))
        for number in 0..<24 { await client.signUp("\(number)@b.c", data: ["full_name": name]) }
        let pattern = String(repeating: "a", count: 7_000) + "_b*"
        let reply = await client.send(
            .get, "/rest/v1/profiles?full_name=like.*\(pattern)", bearer: client.serviceKey)
        #expect(reply.text == "[]")
    }

    @Test(arguments: [
        ("", "", true), ("", "%", true), ("", "_", false), ("a", "", false),
        ("abc", "abc", true), ("abc", "a_c", true), ("abc", "a%", true),
        ("abc", "%c", true), ("abc", "%b%", true), ("abc", "_%_", true),
        ("a", "_%_", false), ("abab", "%ab", true), ("aab", "a%ab", true),
        ("ab", "ab%ab", false), ("abcabd", "%ab_", true),
        ("xaybzc", "%a%b%c", true), ("xaybzc", "%a%c%b%", false),
        ("aaa", "%aa%aa%", false), ("ÄÖ", "_ö", false), ("ÄÖ", "_Ö", true),
        ("abcd", "a%_d", true), ("abc", "%%%", true), ("abc", "____", false),
        ("a%", "a\\%", true), ("ab", "a\\%", false), ("a_b", "%\\_b", true),
        ("axb", "%\\_b", false),
        ("a\\b", "a\\\\b", true), ("ab", "\\a\\b", true),
    ])
    func `a pattern matches what SQL's LIKE matches`(
        _ text: String, _ pattern: String, _ isMatch: Bool
    ) throws {
        #expect(try LikePattern(pattern).matches(text) == isMatch)
    }
}
