import Core
import SQLite
import Support
import Synchronization
import Testing
import Web

@testable import Backend

/// Changes made while a password is hashed.
@Suite(.timeLimit(.minutes(10))) struct SocotoRaceTests {
    /// An action that runs once, when the next mail's id is made: after the hashes and before the
    /// write.
    private final class PendingAction: Sendable {
        private let action = Mutex<(@Sendable () -> Void)?>(nil)

        func schedule(_ body: @escaping @Sendable () -> Void) { action.withLock { $0 = body } }

        func run() {
            let body = action.withLock { action in
                let body = action
                action = nil
                return body
            }
            body?()
        }
    }

    @Test func `only one of concurrent sign-ups of an address gets a session`() async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        let isChanged = try await client.fixture.backend.setSwitch(
            "confirmEmail", isOn: false, of: "socoto", in: "main")
        #expect(isChanged)
        let statuses = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<8 { group.addTask { await client.signUp().status } }
            return await group.reduce(into: [Int]()) { $0.append($1) }
        }
        #expect(statuses.count { $0 == 200 } == 1)
        #expect(statuses.count { $0 == 422 } == 7)
    }

    private func makeClient() async throws -> (SocotoClient, PendingAction) {
        let frozen = FrozenWorld()
        let pending = PendingAction()
        var world = frozen.world
        world.makeID = { prefix in
            if prefix == "mail" { pending.run() }
            return frozen.world.makeID(prefix)
        }
        let fixture = try await BackendFixture(frozen: frozen, world: world)
        return (SocotoClient(fixture: fixture), pending)
    }

    /// Updates email and password while `statement` is executed.
    private func update(while statement: StaticSQL) async throws -> (SocotoClient, Reply) {
        let (client, pending) = try await makeClient()
        let token = try await client.createUser().accessToken
        let database = client.fixture.database
        pending.schedule {
            // Starts immediately, so that it queues for the writer before the update.
            Task.immediate { try await database.write { try $0.run(statement) } }
        }
        let reply = await client.send(
            .put, "/auth/v1/user", ["email": "eve@example.com", "password": "a better horse"],
            bearer: token)
        return (client, reply)
    }

    @Test func `an update fails if its session ends before the write`() async throws {
        let (client, reply) = try await update(while: "UPDATE sessions SET revoked_at = 1")
        #expect(reply.status == 403)
        #expect(reply.json["code"] == "session_not_found")
        #expect(await client.signIn().status == 200)
        let mails = try await client.fixture.backend.mailbox.list(
            workspace: "main", to: "eve@example.com")
        #expect(mails.total == 0)
    }

    @Test func `of two concurrent new passwords the first wins`() async throws {
        let (client, reply) = try await update(
            while: "UPDATE accounts SET password_hash = password_hash || 'x'")
        #expect(reply.status == 409)
        #expect(reply.json["code"] == "conflict")
        let ada = SocotoClient.email
        #expect(await client.signIn(ada, "a better horse").status == 400)
    }
}
