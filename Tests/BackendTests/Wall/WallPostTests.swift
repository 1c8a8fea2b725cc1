import Testing
import Web

@testable import Backend

/// What happens to posts besides listing and adding them.
@Suite(.timeLimit(.minutes(10))) struct WallPostTests {
    private func contents(_ member: BackendFixture.WallMember, _ fixture: BackendFixture) async
        -> [String]
    {
        let reply = await fixture.send(member.list())
        return (reply.json["posts"]?.elements ?? []).compactMap { $0["content"]?.string }
    }

    private func member(_ email: String, _ fixture: BackendFixture) async throws
        -> BackendFixture.WallMember
    { BackendFixture.WallMember(try await fixture.registerWallMember(email)) }

    @Test func `WALL-41 a post reveals neither the address nor the id of its author`() async throws
    {
        let fixture = try await BackendFixture()
        let ada = try await member("ada@mit.edu", fixture)
        let sam = try await member("sam@mit.edu", fixture)
        let created = await fixture.send(ada.post("Hello"))
        let feeds = [
            await fixture.send(sam.list()),
            await fixture.send(sam.list("/main/wall/api/v1/posts")),
        ]
        for reply in [created] + feeds {
            #expect(reply.text.contains("Hello"))
            #expect(!reply.text.contains("ada@mit.edu") && !reply.text.contains(ada.id))
        }
    }

    @Test func `both dialects show the same posts`() async throws {
        let fixture = try await BackendFixture()
        let ada = try await member("ada@mit.edu", fixture)
        _ = await fixture.send(ada.post("One", at: "/main/wall/api/v1/posts"))
        #expect(await contents(ada, fixture) == ["One"])
    }

    @Test func `the posts of a deleted account are deleted`() async throws {
        let fixture = try await BackendFixture()
        let ada = try await member("ada@mit.edu", fixture)
        let sam = try await member("sam@mit.edu", fixture)
        for (author, text) in [(ada, "Ada's"), (sam, "Sam's")] {
            _ = await fixture.send(author.post(text))
        }
        try await fixture.backend.delete(account: ada.id, workspace: "main")
        #expect(await contents(sam, fixture) == ["Sam's"])
    }

    @Test func `a snapshot restores the posts and refresh tokens of its moment`() async throws {
        let fixture = try await BackendFixture()
        let ada = try await member("ada@mit.edu", fixture)
        _ = await fixture.send(ada.post("Before"))
        try await fixture.backend.save(snapshot: "s1", contracts: ["wall"], workspace: "main")
        _ = await fixture.send(ada.post("After"))
        let refresh = Request.post(
            "/main/wall/auth/refresh", #"{"refresh_token":"\#(ada.refreshToken)"}"#)
        #expect(await fixture.send(refresh).status == 200)
        #expect(try await fixture.backend.restore(snapshot: "s1"))
        #expect(await contents(ada, fixture) == ["Before"])
        #expect(await fixture.send(refresh).status == 200)
    }

    @Test func `an administrator's sign-out ends refreshing, and the token lasts`() async throws {
        let fixture = try await BackendFixture()
        let ada = try await member("ada@mit.edu", fixture)
        var change = AccountChange()
        change.shouldSignOut = true
        _ = try await fixture.backend.change(change, account: ada.id, workspace: "main")
        let refreshed = await fixture.send(
            .post("/main/wall/auth/refresh", #"{"refresh_token":"\#(ada.refreshToken)"}"#))
        #expect(refreshed.status == 401)
        #expect(await fixture.send(ada.list()).status == 200)
    }
}
