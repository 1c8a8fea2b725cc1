import FoundationEssentials
import SQLite
import Support
import Testing
import Web

@Suite(.timeLimit(.minutes(10))) struct BobRedactionTests {
    @Test(arguments: [BackendFixture.bob, BackendFixture.nest])
    func `a wrong password and an unknown address look the same`(_ base: String) async throws {
        let fixture = try await BackendFixture()
        await fixture.bob()
        var replies: [Reply] = []
        for email in ["john@example.com", "nobody@example.com"] {
            replies.append(
                await fixture.send(
                    .post(base + "/login", #"{"email":"\#(email)","password":"wrong"}"#)))
        }
        #expect(replies[0].status == 401)
        #expect(replies[0].text == replies[1].text)
        #expect(replies[0].headers == replies[1].headers)
    }

    @Test func `the database holds no password and no token as it is`() async throws {
        let folder = try TemporaryDirectory()
        let fixture = try await BackendFixture(path: folder.database)
        await fixture.bob()
        let first = await fixture.nestLogin()
        let second = await fixture.nestRefresh(first.camelRefresh)
        await fixture.database.close()

        let bytes = try #require(FileManager.default.contents(atPath: folder.database))
        for secret in [
            BackendFixture.strong, first.camelAccess, first.camelRefresh, second.camelAccess,
            second.camelRefresh,
        ] {
            #expect(!secret.isEmpty)
            #expect(bytes.firstRange(of: Data(secret.utf8)) == nil)
        }
        // The search itself finds what is there.
        #expect(bytes.firstRange(of: Data("john@example.com".utf8)) != nil)
        #expect(fixture.frozen.lines.isEmpty)
    }
}
