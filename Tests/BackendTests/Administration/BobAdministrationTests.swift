import Testing
import Web

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct BobAdministrationTests {
    private func tokens(_ reply: Reply) -> (access: String, refresh: String) {
        (
            reply.json["tokens"]?["access_token"]?.string ?? "",
            reply.json["tokens"]?["refresh_token"]?.string ?? ""
        )
    }

    @Test func `an added account has a first and a last name`() async throws {
        let fixture = try await BackendFixture()
        let ada = try await fixture.addAccount("bob")
        #expect(ada.displayName == "Ada Lovelace")
        let signIn = await fixture.bobLogin()
        #expect(signIn.status == 200)
        #expect(signIn.json["user"]?["last_name"] == "Lovelace")
    }

    @Test func `a lock rejects logins and permits refreshes`() async throws {
        let fixture = try await BackendFixture()
        let ada = try await fixture.addAccount("bob")
        let refresh = tokens(await fixture.bobLogin()).refresh
        try await fixture.changeAccount(ada) { $0.lock = .locked(seconds: 60) }
        #expect(await fixture.bobLogin().status == 429)
        #expect(await fixture.bobRefresh(refresh).status == 200)
        try await fixture.changeAccount(ada) { $0.lock = .unlocked }
        #expect(await fixture.bobLogin().status == 200)
    }

    @Test func `a disabled account's refresh token is valid again once enabled`() async throws {
        let fixture = try await BackendFixture()
        let ada = try await fixture.addAccount("bob")
        let refresh = tokens(await fixture.bobLogin()).refresh
        try await fixture.changeAccount(ada) { $0.isDisabled = true }
        #expect(await fixture.bobLogin().status == 401)
        #expect(await fixture.bobRefresh(refresh).status == 401)
        try await fixture.changeAccount(ada) { $0.isDisabled = false }
        #expect(await fixture.bobRefresh(refresh).status == 200)
    }

    @Test func `a new password ends no session`() async throws {
        let fixture = try await BackendFixture()
        let ada = try await fixture.addAccount("bob")
        let refresh = tokens(await fixture.bobLogin()).refresh
        try await fixture.changeAccount(ada) { $0.password = "another horse" }
        #expect(await fixture.bobLogin().status == 401)
        #expect(await fixture.bobLogin("another horse").status == 200)
        #expect(await fixture.bobRefresh(refresh).status == 200)
    }

    @Test func `signing out everywhere revokes refresh tokens`() async throws {
        let fixture = try await BackendFixture()
        let ada = try await fixture.addAccount("bob")
        let refresh = tokens(await fixture.bobLogin()).refresh
        try await fixture.changeAccount(ada) { $0.shouldSignOut = true }
        #expect(await fixture.bobRefresh(refresh).status == 401)
    }

    @Test func `a short password is rejected with its field`() async throws {
        let fixture = try await BackendFixture()
        let ada = try await fixture.addAccount("bob")
        let rejected = await thrownProblem {
            try await fixture.changeAccount(ada) { $0.password = "12345" }
        }
        #expect(rejected?.code == "invalid-account")
        #expect(rejected?.pointer == "/password")
    }
}
