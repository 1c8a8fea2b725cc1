import Support
import Testing
import Web

/// The notes next to a step: its branches, calls and mail.
@Suite(.timeLimit(.minutes(10))) struct WalkthroughNotesTests {
    @Test func `a branch shows the frame of its state and links back to the step`() async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        let step = await fixture.goToStep("mystica", "login", device: device)
        for title in [
            "Offline", "Timeout", "Server unreachable", "Malformed response", "Slow response",
            "Unhandled error", "Error 400 or 401: “Invalid email or password”",
        ] {
            #expect(step.text.contains(">\(title)</a>"), "\(title)")
        }
        #expect(step.text.contains("walkthrough.branch.error.email"))
        let branch = await fixture.page(
            "/walkthrough/mystica/login?branch=offline.submit&sizes=three", device: device)
        #expect(branch.status == 200)
        #expect(branch.text.contains("walkthrough.branch\""))
        #expect(
            branch.text.occurrences(of: "src=\"/storyboard/mystica/login/offline.submit/frame\"")
                == 3)
        #expect(branch.text.contains("/walkthrough/mystica/login/device"))
        #expect(!branch.text.contains("walkthrough.branch.reason"))
        // The walkthrough's device has not moved.
        let again = await fixture.page("/walkthrough/mystica/login", device: device)
        #expect(WalkthroughPhone(again.text) == WalkthroughPhone(step.text))
    }

    @Test func `an unknown branch is reported with the known ones`() async throws {
        let fixture = try await FoyerFixture()
        let page = await fixture.page("/walkthrough/mystica/login?branch=raining")
        #expect(page.status == 404)
        #expect(page.text.contains("Unknown edge case"))
        #expect(page.text.contains("offline.submit"))
    }

    @Test func `a step lists the calls, mail and storage it caused`() async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        _ = await fixture.goToStep("wall", "register", device: device)
        let before = await fixture.page("/walkthrough/wall/register?part=activity", device: device)
        #expect(before.text.contains("No requests were sent"))
        await fixture.submitSuccessfully("/walkthrough/wall/register/next", [], device: device)
        let login = await fixture.page("/walkthrough/wall/login", device: device)
        #expect(login.text.contains("POST /auth/register"))
        #expect(login.text.contains("walkthrough.mail.code"))
        await fixture.submitSuccessfully("/walkthrough/wall/login/next", [], device: device)
        let wall = await fixture.page("/walkthrough/wall/wall", device: device)
        #expect(wall.text.contains("POST /auth/login"))
        #expect(!wall.text.contains("POST /auth/register"))
        #expect(wall.text.contains("com.anonymouswall.authToken"))
    }

    @Test func `a mail's link can be opened only once`() async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        _ = await fixture.goToStep("mystica", "register", device: device)
        await fixture.submitSuccessfully("/walkthrough/mystica/register/next", [], device: device)
        let path = "/walkthrough/mystica/verify"
        let before = await fixture.page(path, device: device)
        #expect(before.text.contains("walkthrough.mail.open"))
        let opened = await fixture.submit(path + "/mail", [], device: device)
        #expect(opened.location == path)
        let after = await fixture.page(path, device: device)
        #expect(!after.text.contains("walkthrough.mail.open"))
        let again = await fixture.submit(path + "/mail", [], device: device)
        #expect(again.status == 409)
    }
}
