import Support
import Testing
import Web

@testable import Backend

/// Nobody may leave more behind than a person has to say.
@Suite(.timeLimit(.minutes(10))) struct SocotoBoundsTests {
    private func many(_ count: Int, _ prefix: String = "k") -> JSON {
        .object((0..<count).map { .init("\(prefix)\($0)", .string("0123456789")) })
    }

    @Test(arguments: [true, false]) func `metadata beyond 16 KiB is refused at sign-up`(
        _ isNew: Bool
    ) async throws {
        let client = SocotoClient(house: try await BackendFixture())
        let body: JSON = [
            "email": .string(SocotoClient.email), "password": .string(SocotoClient.password),
            "data": many(1_000),
        ]
        let reply = await client.house.send(
            client.request(.post, "/auth/v1/signup", body.description, isNew: isNew))
        #expect(reply.status == 400)
        #expect(reply.json[isNew ? "code" : "error_code"] == "validation_failed")
        #expect(await client.signIn().json["code"] == "invalid_credentials")
    }

    @Test func `metadata does not grow beyond it bit by bit`() async throws {
        let client = SocotoClient(house: try await BackendFixture())
        let token = try await client.person().accessToken
        var replies: [Reply] = []
        for part in ["a", "b", "c", "d"] {
            replies.append(
                await client.send(.put, "/auth/v1/user", ["data": many(300, part)], bearer: token))
        }
        #expect(replies.map(\.status).contains(400))
        #expect(replies.last?.json["code"] == "validation_failed")
        let kept = await client.user(token).json["user_metadata"]
        #expect((kept?.description.utf8.count ?? 0) <= 16_384)
        #expect(kept?["full_name"] == "Ada Lovelace")
    }

    @Test func `a row beyond 16 KiB is refused as one that fails a check`() async throws {
        let client = SocotoClient(house: try await BackendFixture())
        let token = try await client.person().accessToken
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

    @Test func `of one name said twice the last counts, null takes away`() async throws {
        let client = SocotoClient(house: try await BackendFixture())
        let token = try await client.person().accessToken
        let reply = await client.house.send(
            client.request(
                .put, "/auth/v1/user",
                #"{"data":{"z":1,"a":1,"a":null,"a":2,"role":1,"role":null}}"#, bearer: token))
        #expect(
            reply.json["user_metadata"]?.description == #"{"a":2,"email_verified":true,"#
                + #""full_name":"Ada Lovelace","z":1}"#)
    }

    /// One that costs the product of both again for each wildcard would take
    /// hours.
    @Test func `no pattern costs more than its length and its text's`()
        async throws
    {
        let client = SocotoClient(house: try await BackendFixture())
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
    ])
    func `patterns are SQL's`(_ text: String, _ pattern: String, _ fits: Bool) {
        #expect(SocotoLikePattern(pattern).matches(text) == fits)
    }
}
