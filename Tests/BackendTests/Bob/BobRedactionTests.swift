import FoundationEssentials
import SQLite
import Support
import Testing
import Web

@Suite(.timeLimit(.minutes(10))) struct BobRedactionTests {
    @Test(arguments: [BackendFixture.bobPath, BackendFixture.nestPath])
    func `a wrong password and an unknown address get the same response`(_ path: String)
        async throws
    {
        let fixture = try await BackendFixture()
        await fixture.registerBob()
        var replies: [Reply] = []
        for email in ["john@example.com", "nobody@example.com"] {
            replies.append(
                await fixture.send(
                    .post(path + "/login", #"{"email":"\#(email)","password":"wrong"}"#)))
        }
        #expect(replies[0].status == 401)
        #expect(replies[0].text == replies[1].text)
        #expect(replies[0].headers == replies[1].headers)
    }

    @Test func `the database stores no password or token in plain text`() async throws {
        let folder = try TemporaryDirectory()
        let fixture = try await BackendFixture(path: folder.databasePath)
        await fixture.registerBob()
        let first = await fixture.nestLogin()
        let second = await fixture.nestRefresh(first.camelCaseRefreshToken)
        await fixture.database.close()

        let bytes = try #require(FileManager.default.contents(atPath: folder.databasePath))
        for secret in [
            BackendFixture.strongPassword, first.camelCaseAccessToken, first.camelCaseRefreshToken,
            second.camelCaseAccessToken,
            second.camelCaseRefreshToken,
        ] {
            #expect(!secret.isEmpty)
            #expect(bytes.firstRange(of: Data(secret.utf8)) == nil)
        }
        // The search finds a value that is stored in plain text.
        #expect(bytes.firstRange(of: Data("john@example.com".utf8)) != nil)
        #expect(fixture.frozen.lines.isEmpty)
    }
}
