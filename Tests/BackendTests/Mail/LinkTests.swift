import Core
import Support
import Testing
import Web

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct LinkTests {
    @Test func `a link verifies once, and says so the second time`() async throws {
        let fixture = try await BackendFixture()
        await fixture.register()
        let link = try await fixture.link(to: BackendFixture.email)
        #expect(await fixture.follow(link).heading == "Email verified")
        #expect(await fixture.follow(link).heading == "Already verified")
        #expect(await fixture.login().status == 200)
        let used = fixture.hub.events(in: "main").filter { $0.kind == .mailUsed }
        let mails = try await fixture.backend.mailbox.list(workspace: "main")
        #expect(used.map(\.subject) == [mails.items.first?.id])
        #expect(mails.items.first?.usedAt == fixture.frozen.now)
    }

    @Test func `a scanner that asks for the head uses nothing up`() async throws {
        let fixture = try await BackendFixture()
        await fixture.register()
        let link = try await fixture.link(to: BackendFixture.email)
        #expect(await fixture.follow(link, method: .head).status == 200)
        #expect(await fixture.login().code == "email_not_verified")
        #expect(await fixture.follow(link).heading == "Email verified")
    }

    @Test func `a verification link lasts a day`() async throws {
        let fixture = try await BackendFixture()
        await fixture.register()
        let link = try await fixture.link(to: BackendFixture.email)
        fixture.frozen.advance(by: 86_400)
        let late = await fixture.follow(link)
        #expect(late.status == 410)
        #expect(late.heading == "This link has expired")
        #expect(await fixture.login().code == "email_not_verified")
    }

    @Test func `only the newest link works`() async throws {
        let fixture = try await BackendFixture()
        await fixture.register()
        let first = try await fixture.link(to: BackendFixture.email)
        await ask(fixture, "/auth/resend-verification")
        let second = try await fixture.link(to: BackendFixture.email)
        #expect(first != second)
        #expect(await fixture.follow(first).heading == "There is a newer link")
        #expect(await fixture.follow(second).heading == "Email verified")
        #expect(await fixture.follow(first).heading == "Already verified")
    }

    @Test func `parallel visits of one link use it once`() async throws {
        let fixture = try await BackendFixture()
        await fixture.register()
        let link = try await fixture.link(to: BackendFixture.email)
        let headings = await withTaskGroup(of: String?.self) { group in
            for _ in 0..<8 { group.addTask { await fixture.follow(link).heading } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(headings.filter { $0 == "Email verified" }.count == 1)
        #expect(headings.filter { $0 == "Already verified" }.count == 7)
    }

    @Test func `a new password replaces the old and signs out everywhere`() async throws {
        let fixture = try await BackendFixture()
        let session = try await fixture.signedIn()
        let request = try await fixture.resetRequest(password: "a new password")
        #expect(await fixture.send(request).heading == "Password changed")
        #expect(await fixture.me(session.accessToken).code == "invalid_token")
        #expect(await fixture.refresh(session.refreshToken).status == 401)
        #expect(await fixture.login().code == "INVALID_CREDENTIALS")
        let new = await fixture.login(BackendFixture.email, "a new password")
        #expect(new.status == 200)
        #expect(await fixture.send(request).status == 410)
    }

    @Test func `looking at the form and failing leaves the link usable`() async throws {
        let fixture = try await BackendFixture()
        let link = try await fixture.resetLink()
        #expect(await fixture.follow(link).heading == "Choose a new password")
        let secret = String(link.split(separator: "token=").last ?? "")
        let weak = await fixture.submit(
            "/main/mystica/reset", [("token", secret), ("password", "short")])
        #expect(weak.status == 422)
        #expect(!weak.text.contains("short"))
        let good = await fixture.submit(
            "/main/mystica/reset", [("token", secret), ("password", "long enough")])
        #expect(good.heading == "Password changed")
    }

    @Test func `a reset link lasts an hour`() async throws {
        let fixture = try await BackendFixture()
        let request = try await fixture.resetRequest(password: "a new password")
        fixture.frozen.advance(by: 3_600)
        #expect(await fixture.send(request).status == 410)
        #expect(await fixture.login().status == 200)
    }

    @Test func `a link of one purpose is none of another`() async throws {
        let fixture = try await BackendFixture()
        await fixture.register()
        let link = try await fixture.link(to: BackendFixture.email)
        let crossed = link.split(separator: "/verify").joined(separator: "/reset")
        #expect(await fixture.follow(crossed).status == 404)
        #expect(await fixture.follow(link).heading == "Email verified")
    }

    @Test func `a link of one workspace is none of another`() async throws {
        let fixture = try await BackendFixture()
        try await fixture.backend.create(workspace: "other")
        await fixture.register()
        let link = try await fixture.link(to: BackendFixture.email)
        let crossed = link.split(separator: "/main/").joined(separator: "/other/")
        #expect(await fixture.follow(crossed).status == 404)
    }

    private func ask(_ fixture: BackendFixture, _ path: String) async {
        _ = await fixture.post(path, ["email": .string(BackendFixture.email)])
    }
}
