import FoundationEssentials
import Simulator
import Support
import Testing
import Web

@Suite(.timeLimit(.minutes(10))) struct SeedTests {
    static let apps = ["mystica", "mystica-instant", "bob", "wall", "socoto", "clarity"]

    @Test(arguments: apps) func `somebody is signed in, as their own screens do it`(app: String)
        async throws
    {
        let fixture = try await FoyerFixture()
        let lease = try await fixture.leased(["seed": ["app": .string(app), "state": "signedIn"]])
        let session = try #require(lease.json["session"]?.string)
        let header = [("X-Foyer-Workspace", lease.id)]
        let told = await fixture.ask(.get, "/api/sessions/\(session)", headers: header).json
        #expect(told["state"] == "active")
        #expect(told["app"] == .string(app))
        #expect(told["device"] == lease.json["device"])
        let device = lease.json["device"]?.string ?? ""
        let at = await fixture.ask(.get, "/api/devices/\(device)/apps/\(app)", headers: header).json
        #expect(at["session"]?["id"]?.string == session)
        #expect(at["notice"] == .null)
    }

    @Test(arguments: apps) func `or their access token is over already`(app: String) async throws {
        let fixture = try await FoyerFixture()
        let lease = try await fixture.leased(["seed": ["app": .string(app), "state": "expired"]])
        let session = try #require(lease.json["session"]?.string)
        let told = await fixture.ask(
            .get, "/api/sessions/\(session)", headers: [("X-Foyer-Workspace", lease.id)]
        ).json
        #expect(told["state"] == "expired")
    }

    @Test func `an access token lives as long as the seed says`() async throws {
        let fixture = try await FoyerFixture()
        let lease = try await fixture.leased([
            "seed": ["app": "mystica", "state": "signedIn", "accessTokenTTL": 20]
        ])
        let session = try #require(lease.json["session"]?.string)
        let header = [("X-Foyer-Workspace", lease.id)]
        let told = await fixture.ask(.get, "/api/sessions/\(session)", headers: header).json
        #expect(told["accessToken"]?["expiresAt"]?.string == (fixture.frozen.now + 20).iso8601)
    }

    @Test func `somebody unverified is told so at the login`() async throws {
        let fixture = try await FoyerFixture()
        let lease = try await fixture.leased([
            "seed": [
                "app": "mystica", "state": "unverified",
                "user": ["email": "una@example.com", "password": "correct horse"],
            ]
        ])
        #expect(lease.json["session"] == .null)
        #expect(lease.json["user"]?["email"] == "una@example.com")
        let instance = AppInstance(
            workspace: lease.id, device: lease.json["device"]?.string ?? "", app: "mystica")
        _ = try await fixture.simulator.launch(instance)
        _ = try await fixture.simulator.runAction(
            instance, screen: "login", action: "submit",
            form: ["email": "una@example.com", "password": "correct horse"])
        #expect(try await fixture.simulator.status(instance).screen == "verify")
    }

    @Test func `somebody locked is not let in`() async throws {
        let fixture = try await FoyerFixture()
        let lease = try await fixture.leased([
            "seed": [
                "app": "mystica", "state": "locked",
                "user": ["email": "lo@example.com", "password": "correct horse"],
            ]
        ])
        let instance = AppInstance(
            workspace: lease.id, device: lease.json["device"]?.string ?? "", app: "mystica")
        _ = try await fixture.simulator.launch(instance)
        let result = try await fixture.simulator.runAction(
            instance, screen: "login", action: "submit",
            form: ["email": "lo@example.com", "password": "correct horse"])
        #expect(!result.succeeded)
        let screen = await fixture.page(
            "/apps/mystica/login", device: instance.device, workspace: lease.id)
        #expect(screen.text.contains("Too many failed attempts. Please try again later."))
        let calls = await fixture.ask(
            .get, "/api/exchanges?call=login", headers: [("X-Foyer-Workspace", lease.id)])
        #expect(calls.json["items"]?[0]?["status"] == 429)
    }

    @Test(
        arguments: [
            (["state": "signedIn"], "/seed/app"), (["app": "nobody"], "/seed/app"),
            (["app": "mystica", "state": "asleep"], "/seed/state"),
            (["app": "mystica", "colour": "red"], "/seed/colour"),
            (["app": "mystica", "accessTokenTTL": 0], "/seed/accessTokenTTL"),
            (["app": "mystica", "user": ["email": "no address"]], "/seed/user/email"),
            (["app": "mystica", "user": ["mail": "a"]], "/seed/user/mail"),
            (["app": "mystica", "user": "nora"], "/seed/user"),
            (["app": "mystica-instant", "state": "locked"], "/seed/state"),
            (["app": "wall", "state": "locked"], "/seed/state"),
            (
                [
                    "app": "mystica-instant", "state": "signedIn",
                    "user": ["email": "nora@example.com"],
                ], "/seed/user"
            ),
        ] as [(JSON, String)])
    func `what cannot be planted is told by field, and nothing is leased`(
        seed: JSON, pointer: String
    ) async throws {
        let fixture = try await FoyerFixture()
        let answer = await fixture.ask(.post, "/api/workspaces", json: ["seed": seed])
        #expect([400, 422].contains(answer.status))
        #expect(answer.json["errors"]?[0]?["pointer"]?.string == pointer)
        let left = await fixture.ask(.get, "/api/workspaces").json
        #expect(left["total"] == 1)
    }

    @Test(
        arguments: [
            (["app": "nobody"], "/seed/app is no app"),
            (["app": "mystica", "user": ["email": "no address"]], "/seed/user/email is no e-mail"),
            (["app": "mystica", "user": ["password": "short"]], "/seed/user/password needs"),
        ] as [(JSON, String)]) func `a fault's sentence names the field where it stands`(
            seed: JSON, sentence: String
        ) async throws
    {
        let fixture = try await FoyerFixture()
        let answer = await fixture.ask(.post, "/api/workspaces", json: ["seed": seed])
        let detail = try #require(answer.json["detail"]?.string)
        #expect(detail.hasPrefix(sentence))
    }
}
