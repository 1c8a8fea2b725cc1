import Core
import SQLite
import Support
import Synchronization
import Testing
import Web

@testable import Backend

/// What happened while a password was hashed counts.
@Suite(.timeLimit(.minutes(10))) struct SocotoRaceTests {
    /// What is to happen when the next mail is named, which is after the
    /// hashes and before the write.
    private final class Meanwhile: Sendable {
        private let errand = Mutex<(@Sendable () -> Void)?>(nil)

        func happens(_ body: @escaping @Sendable () -> Void) { errand.withLock { $0 = body } }

        func happen() {
            let body = errand.withLock { errand in
                let body = errand
                errand = nil
                return body
            }
            body?()
        }
    }

    private func house() async throws -> (SocotoClient, Meanwhile) {
        let frozen = FrozenWorld()
        let meanwhile = Meanwhile()
        var world = frozen.world
        world.makeID = { prefix in
            if prefix == "mail" { meanwhile.happen() }
            return frozen.world.makeID(prefix)
        }
        let fixture = try await BackendFixture(frozen: frozen, world: world)
        return (SocotoClient(house: fixture), meanwhile)
    }

    /// An update of both, while `statement` is carried out.
    private func update(while statement: StaticSQL) async throws -> (SocotoClient, Reply) {
        let (client, meanwhile) = try await house()
        let token = try await client.person().accessToken
        let database = client.house.database
        meanwhile.happens {
            // Begun at once, so it waits for the writer before the update.
            Task.immediate { try await database.write { try $0.run(statement) } }
        }
        let reply = await client.send(
            .put, "/auth/v1/user", ["email": "eve@example.com", "password": "a better horse"],
            bearer: token)
        return (client, reply)
    }

    @Test func `a session that ended meanwhile changes nothing`() async throws {
        let (client, reply) = try await update(while: "UPDATE sessions SET revoked_at = 1")
        #expect(reply.status == 403)
        #expect(reply.json["code"] == "session_not_found")
        #expect(await client.signIn().status == 200)
        let mails = try await client.house.backend.mailbox.list(
            workspace: "main", to: "eve@example.com")
        #expect(mails.total == 0)
    }

    @Test func `of two new passwords at once the first counts`() async throws {
        let (client, reply) = try await update(
            while: "UPDATE accounts SET password_hash = password_hash || 'x'")
        #expect(reply.status == 409)
        #expect(reply.json["code"] == "conflict")
        let ada = SocotoClient.email
        #expect(await client.signIn(ada, "a better horse").status == 400)
    }
}
