import Core
import Support
import Testing
import Web

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct LinkTests {
    @Test func `a link verifies once and reports a second use`() async throws {
        let fixture = try await BackendFixture()
        await fixture.register()
        let link = try await fixture.link(to: BackendFixture.email)
        #expect(await fixture.follow(link).heading == "Email verified")
        #expect(await fixture.follow(link).heading == "Already verified")
        #expect(await fixture.login().status == 200)
        let usedEvents = fixture.hub.events(in: "main").filter { $0.kind == .mailUsed }
        let mails = try await fixture.backend.mailbox.list(workspace: "main")
        #expect(usedEvents.map(\.subject) == [mails.items.first?.id])
        #expect(mails.items.first?.usedAt == fixture.frozen.now)
    }

    @Test func `a HEAD request of a scanner does not use a link`() async throws {
        let fixture = try await BackendFixture()
        await fixture.register()
        let link = try await fixture.link(to: BackendFixture.email)
        #expect(await fixture.follow(link, method: .head).status == 200)
        #expect(await fixture.login().code == "email_not_verified")
        #expect(await fixture.follow(link).heading == "Email verified")
    }

    @Test func `a verification link expires after a day`() async throws {
        let fixture = try await BackendFixture()
        await fixture.register()
        let link = try await fixture.link(to: BackendFixture.email)
        fixture.frozen.advance(by: 86_400)
        let expired = await fixture.follow(link)
        #expect(expired.status == 410)
        #expect(expired.heading == "This link has expired")
        #expect(await fixture.login().code == "email_not_verified")
    }

    @Test func `only the newest link works`() async throws {
        let fixture = try await BackendFixture()
        await fixture.register()
        let first = try await fixture.link(to: BackendFixture.email)
        await requestMail(fixture, "/auth/resend-verification")
        let second = try await fixture.link(to: BackendFixture.email)
        #expect(first != second)
        #expect(await fixture.follow(first).heading == "There is a newer link")
        #expect(await fixture.follow(second).heading == "Email verified")
        #expect(await fixture.follow(first).heading == "Already verified")
    }

    @Test func `parallel requests of one link use it once`() async throws {
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

    @Test func `a password reset replaces the password and ends every session`() async throws {
        let fixture = try await BackendFixture()
        let session = try await fixture.signInVerified()
        let request = try await fixture.resetRequest(password: "a new password")
        #expect(await fixture.send(request).heading == "Password changed")
        #expect(await fixture.me(session.accessToken).code == "invalid_token")
        #expect(await fixture.refresh(session.refreshToken).status == 401)
        #expect(await fixture.login().code == "INVALID_CREDENTIALS")
        let login = await fixture.login(BackendFixture.email, "a new password")
        #expect(login.status == 200)
        #expect(await fixture.send(request).status == 410)
    }

    @Test func `opening the form or a rejected password leaves the reset link valid`() async throws
    {
        let fixture = try await BackendFixture()
        let link = try await fixture.resetLink()
        #expect(await fixture.follow(link).heading == "Choose a new password")
        let token = String(link.split(separator: "token=").last ?? "")
        let rejected = await fixture.submitForm(
            "/main/mystica/reset", [("token", token), ("password", "short")])
        #expect(rejected.status == 422)
        #expect(!rejected.text.contains("short"))
        let accepted = await fixture.submitForm(
            "/main/mystica/reset", [("token", token), ("password", "long enough")])
        #expect(accepted.heading == "Password changed")
    }

    @Test func `a reset link expires after an hour`() async throws {
        let fixture = try await BackendFixture()
        let request = try await fixture.resetRequest(password: "a new password")
        fixture.frozen.advance(by: 3_600)
        #expect(await fixture.send(request).status == 410)
        #expect(await fixture.login().status == 200)
    }

    @Test func `a link is valid only for its purpose`() async throws {
        let fixture = try await BackendFixture()
        await fixture.register()
        let link = try await fixture.link(to: BackendFixture.email)
        let changedLink = link.split(separator: "/verify").joined(separator: "/reset")
        #expect(await fixture.follow(changedLink).status == 404)
        #expect(await fixture.follow(link).heading == "Email verified")
    }

    @Test func `a link is valid only in its workspace`() async throws {
        let fixture = try await BackendFixture()
        try await fixture.backend.create(workspace: "other")
        await fixture.register()
        let link = try await fixture.link(to: BackendFixture.email)
        let changedLink = link.split(separator: "/main/").joined(separator: "/other/")
        #expect(await fixture.follow(changedLink).status == 404)
    }

    private func requestMail(_ fixture: BackendFixture, _ path: String) async {
        _ = await fixture.post(path, ["email": .string(BackendFixture.email)])
    }
}
