import Testing
import Web

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct WallPeopleTests {
    private func passwordLogin(_ house: BackendHouse, _ password: String = BackendHouse.password)
        async -> Reply
    {
        await house.send(
            .post(
                BackendHouse.campus + "/login/password",
                """
                {"email":"\(BackendHouse.email)","password":"\(password)"}
                """))
    }

    @Test func `somebody added signs in by code, and by password if given`() async throws {
        let house = try await BackendHouse()
        try await house.add("wall")
        #expect(await passwordLogin(house).status == 200)
        await house.wall("/request-code", BackendHouse.email)
        let code = try await house.code(BackendHouse.email)
        #expect(await house.wallLogin(code, BackendHouse.email).status == 200)
    }

    @Test func `without a password asked for, none is made up`() async throws {
        let house = try await BackendHouse()
        let added = try await house.backend.addPerson(
            contract: "wall", workspace: "main", person: Person())
        #expect(added.password == nil)
        #expect(!added.account.hasPassword)
    }

    @Test func `somebody unverified is refused until verified`() async throws {
        let house = try await BackendHouse()
        let ada = try await house.add("wall", .unverified)
        #expect(await passwordLogin(house).status == 400)
        try await house.change(ada) { $0.verified = true }
        #expect(await passwordLogin(house).status == 200)
    }

    @Test func `it can neither lock nor disable, and says so`() async throws {
        let house = try await BackendHouse()
        let ada = try await house.add("wall")
        let locked = await refusal { try await house.change(ada) { $0.lock = .locked(seconds: 9) } }
        #expect(locked?.code == "not-in-contract")
        #expect(locked?.pointer == "/locked")
        let disabled = await refusal { try await house.change(ada) { $0.disabled = true } }
        #expect(disabled?.pointer == "/disabled")
        let seeded = await refusal {
            _ = try await house.backend.addPerson(
                contract: "wall", workspace: "main", person: Person(state: .locked))
        }
        #expect(seeded?.pointer == "/state")
    }

    @Test func `a change that cannot be done leaves all as it is`() async throws {
        let house = try await BackendHouse()
        let ada = try await house.add("wall")
        _ = await refusal {
            try await house.change(ada) {
                $0.verified = false
                $0.disabled = true
            }
        }
        let known = try await house.backend.account(ada.id, workspace: "main")
        #expect(known?.state == .verified)
    }
}
