import FoundationEssentials
import Simulator
import Support
import Testing
import Web

@Suite(.timeLimit(.minutes(10))) struct SeedTests {
    static let apps = ["mystica", "mystica-instant", "bob", "wall", "socoto", "clarity"]

    @Test(arguments: apps) func `the seed state signedIn creates an active session in every app`(
        app: String
    )
        async throws
    {
        let fixture = try await FoyerFixture()
        let lease = try await fixture.leaseWorkspace([
            "seed": ["app": .string(app), "state": "signedIn"]
        ])
        let session = try #require(lease.json["session"]?.string)
        let header = [("X-Foyer-Workspace", lease.id)]
        let read = await fixture.ask(.get, "/api/sessions/\(session)", headers: header).json
        #expect(read["state"] == "active")
        #expect(read["app"] == .string(app))
        #expect(read["device"] == lease.json["device"])
        let device = lease.json["device"]?.string ?? ""
        let appState = await fixture.ask(
            .get, "/api/devices/\(device)/apps/\(app)", headers: header
        ).json
        #expect(appState["session"]?["id"]?.string == session)
        #expect(appState["notice"] == .null)
    }

    @Test(arguments: apps) func `the seed state expired creates an expired session in every app`(
        app: String
    ) async throws {
        let fixture = try await FoyerFixture()
        let lease = try await fixture.leaseWorkspace([
            "seed": ["app": .string(app), "state": "expired"]
        ])
        let session = try #require(lease.json["session"]?.string)
        let read = await fixture.ask(
            .get, "/api/sessions/\(session)", headers: [("X-Foyer-Workspace", lease.id)]
        ).json
        #expect(read["state"] == "expired")
    }

    @Test func `the seed sets the access token's lifetime`() async throws {
        let fixture = try await FoyerFixture()
        let lease = try await fixture.leaseWorkspace([
            "seed": ["app": "mystica", "state": "signedIn", "accessTokenTTL": 20]
        ])
        let session = try #require(lease.json["session"]?.string)
        let header = [("X-Foyer-Workspace", lease.id)]
        let read = await fixture.ask(.get, "/api/sessions/\(session)", headers: header).json
        #expect(read["accessToken"]?["expiresAt"]?.string == (fixture.frozen.now + 20).iso8601)
    }

    @Test func `an unverified user is sent to the verify screen at login`() async throws {
        let fixture = try await FoyerFixture()
        let lease = try await fixture.leaseWorkspace([
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

    @Test func `the login of a locked user fails with 429`() async throws {
        let fixture = try await FoyerFixture()
        let lease = try await fixture.leaseWorkspace([
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
    func `an invalid seed names its field and creates no lease`(
        seed: JSON, pointer: String
    ) async throws {
        let fixture = try await FoyerFixture()
        let response = await fixture.ask(.post, "/api/workspaces", json: ["seed": seed])
        #expect([400, 422].contains(response.status))
        #expect(response.json["errors"]?[0]?["pointer"]?.string == pointer)
        let workspaces = await fixture.ask(.get, "/api/workspaces").json
        #expect(workspaces["total"] == 1)
    }

    @Test(
        arguments: [
            (["app": "nobody"], "/seed/app must be one of"),
            (
                ["app": "mystica", "user": ["email": "no address"]],
                "/seed/user/email is not a valid email"
            ),
            (["app": "mystica", "user": ["password": "short"]], "/seed/user/password must have"),
        ] as [(JSON, String)]) func `the error text names the field by its pointer`(
            seed: JSON, prefix: String
        ) async throws
    {
        let fixture = try await FoyerFixture()
        let response = await fixture.ask(.post, "/api/workspaces", json: ["seed": seed])
        let detail = try #require(response.json["detail"]?.string)
        #expect(detail.hasPrefix(prefix))
    }
}
