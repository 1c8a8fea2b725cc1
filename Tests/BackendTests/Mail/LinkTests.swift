import Support
import Surroundings
import Testing
import Web

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct LinkTests {
    @Test func `a link verifies once, and says so the second time`() async throws {
        let house = try await BackendHouse()
        await house.register()
        let link = try await house.link(to: BackendHouse.email)
        #expect(await house.follow(link).heading == "Email verified")
        #expect(await house.follow(link).heading == "Already verified")
        #expect(await house.login().status == 200)
        let used = house.hub.events(in: "main").filter { $0.kind == .mailUsed }
        let mails = try await house.backend.mailbox.list(workspace: "main")
        #expect(used.map(\.subject) == [mails.items.first?.id])
        #expect(mails.items.first?.usedAt == house.frozen.now)
    }

    @Test func `a scanner that asks for the head uses nothing up`() async throws {
        let house = try await BackendHouse()
        await house.register()
        let link = try await house.link(to: BackendHouse.email)
        #expect(await house.follow(link, method: .head).status == 200)
        #expect(await house.login().code == "email_not_verified")
        #expect(await house.follow(link).heading == "Email verified")
    }

    @Test func `a verification link lasts a day`() async throws {
        let house = try await BackendHouse()
        await house.register()
        let link = try await house.link(to: BackendHouse.email)
        house.frozen.advance(by: 86_400)
        let late = await house.follow(link)
        #expect(late.status == 410)
        #expect(late.heading == "This link has expired")
        #expect(await house.login().code == "email_not_verified")
    }

    @Test func `only the newest link works`() async throws {
        let house = try await BackendHouse()
        await house.register()
        let first = try await house.link(to: BackendHouse.email)
        await ask(house, "/auth/resend-verification")
        let second = try await house.link(to: BackendHouse.email)
        #expect(first != second)
        #expect(await house.follow(first).heading == "There is a newer link")
        #expect(await house.follow(second).heading == "Email verified")
        #expect(await house.follow(first).heading == "Already verified")
    }

    @Test func `parallel visits of one link use it once`() async throws {
        let house = try await BackendHouse()
        await house.register()
        let link = try await house.link(to: BackendHouse.email)
        let headings = await withTaskGroup(of: String?.self) { group in
            for _ in 0..<8 { group.addTask { await house.follow(link).heading } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(headings.filter { $0 == "Email verified" }.count == 1)
        #expect(headings.filter { $0 == "Already verified" }.count == 7)
    }

    @Test func `a new password replaces the old and signs out everywhere`() async throws {
        let house = try await BackendHouse()
        let session = try await house.signedIn()
        let request = try await house.resetRequest(password: "a new password")
        #expect(await house.send(request).heading == "Password changed")
        #expect(await house.me(session.accessToken).code == "invalid_token")
        #expect(await house.refresh(session.refreshToken).status == 401)
        #expect(await house.login().code == "INVALID_CREDENTIALS")
        let new = await house.login(BackendHouse.email, "a new password")
        #expect(new.status == 200)
        #expect(await house.send(request).status == 410)
    }

    @Test func `looking at the form and failing leaves the link usable`() async throws {
        let house = try await BackendHouse()
        let link = try await house.resetLink()
        #expect(await house.follow(link).heading == "Choose a new password")
        let secret = String(link.split(separator: "token=").last ?? "")
        let weak = await house.submit(
            "/main/mystica/reset", [("token", secret), ("password", "short")])
        #expect(weak.status == 422)
        #expect(!weak.text.contains("short"))
        let good = await house.submit(
            "/main/mystica/reset", [("token", secret), ("password", "long enough")])
        #expect(good.heading == "Password changed")
    }

    @Test func `a reset link lasts an hour`() async throws {
        let house = try await BackendHouse()
        let request = try await house.resetRequest(password: "a new password")
        house.frozen.advance(by: 3_600)
        #expect(await house.send(request).status == 410)
        #expect(await house.login().status == 200)
    }

    @Test func `a link of one purpose is none of another`() async throws {
        let house = try await BackendHouse()
        await house.register()
        let link = try await house.link(to: BackendHouse.email)
        let crossed = link.split(separator: "/verify").joined(separator: "/reset")
        #expect(await house.follow(crossed).status == 404)
        #expect(await house.follow(link).heading == "Email verified")
    }

    @Test func `a link of one workspace is none of another`() async throws {
        let house = try await BackendHouse()
        try await house.backend.open(workspace: "other")
        await house.register()
        let link = try await house.link(to: BackendHouse.email)
        let crossed = link.split(separator: "/main/").joined(separator: "/other/")
        #expect(await house.follow(crossed).status == 404)
    }

    private func ask(_ house: BackendHouse, _ path: String) async {
        _ = await house.post(path, ["email": .string(BackendHouse.email)])
    }
}
