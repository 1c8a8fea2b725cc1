import Testing
import Web

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct BobPeopleTests {
    private func tokens(_ reply: Reply) -> (access: String, refresh: String) {
        (
            reply.json["tokens"]?["access_token"]?.string ?? "",
            reply.json["tokens"]?["refresh_token"]?.string ?? ""
        )
    }

    @Test func `somebody added has a first and a last name`() async throws {
        let house = try await BackendHouse()
        let ada = try await house.add("bob")
        #expect(ada.displayName == "Ada Lovelace")
        let signIn = await house.bobLogin()
        #expect(signIn.status == 200)
        #expect(signIn.json["user"]?["last_name"] == "Lovelace")
    }

    @Test func `a lock refuses the login and lets refreshes go on`() async throws {
        let house = try await BackendHouse()
        let ada = try await house.add("bob")
        let refresh = tokens(await house.bobLogin()).refresh
        try await house.change(ada) { $0.lock = .locked(seconds: 60) }
        #expect(await house.bobLogin().status == 429)
        #expect(await house.bobRefresh(refresh).status == 200)
        try await house.change(ada) { $0.lock = .open }
        #expect(await house.bobLogin().status == 200)
    }

    @Test func `a disabled account's refresh token is kept for later`() async throws {
        let house = try await BackendHouse()
        let ada = try await house.add("bob")
        let refresh = tokens(await house.bobLogin()).refresh
        try await house.change(ada) { $0.disabled = true }
        #expect(await house.bobLogin().status == 401)
        #expect(await house.bobRefresh(refresh).status == 401)
        try await house.change(ada) { $0.disabled = false }
        #expect(await house.bobRefresh(refresh).status == 200)
    }

    @Test func `a new password ends no session`() async throws {
        let house = try await BackendHouse()
        let ada = try await house.add("bob")
        let refresh = tokens(await house.bobLogin()).refresh
        try await house.change(ada) { $0.password = "another horse" }
        #expect(await house.bobLogin().status == 401)
        #expect(await house.bobLogin("another horse").status == 200)
        #expect(await house.bobRefresh(refresh).status == 200)
    }

    @Test func `signed out everywhere, refresh tokens are refused`() async throws {
        let house = try await BackendHouse()
        let ada = try await house.add("bob")
        let refresh = tokens(await house.bobLogin()).refresh
        try await house.change(ada) { $0.signsOut = true }
        #expect(await house.bobRefresh(refresh).status == 401)
    }

    @Test func `too short a password is refused by name`() async throws {
        let house = try await BackendHouse()
        let ada = try await house.add("bob")
        let refused = await refusal { try await house.change(ada) { $0.password = "12345" } }
        #expect(refused?.code == "invalid-account")
        #expect(refused?.pointer == "/password")
    }
}
