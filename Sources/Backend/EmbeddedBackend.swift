package import Secrets
package import SQLite
package import Surroundings
package import Web

/// The backend that is built in: the apps' contracts over real sockets.
///
/// Reached like a real one, at `http://127.0.0.1:7071/{workspace}/{app}/…`.
/// What the console needs besides (caught mail, keys, ageing a token) is asked
/// of this value directly and never of a device.
package final class EmbeddedBackend: Sendable {
    /// Reads its keys, or makes and seals them at first start.
    package init(
        database: Database, sealer: Sealer, world: World, hub: EventHub,
        hasher: PasswordHasher, base: String
    ) async throws {
        preconditionFailure("not built yet")
    }

    /// The contracts, for its own port. Total: garbage gets an answer.
    package var responder: Responder { preconditionFailure("not built yet") }

    /// Caught mail.
    package var mailbox: Mailbox { preconditionFailure("not built yet") }

    /// What a contract's keys say of a token's signature.
    package func judge(
        _ token: String, contract: String, workspace: String
    ) -> Verdict {
        preconditionFailure("not built yet")
    }

    /// The same token, ended a second ago and signed anew; nil if it is none
    /// of ours.
    package func expired(
        _ token: String, contract: String, workspace: String
    ) -> String? {
        preconditionFailure("not built yet")
    }

    /// What the server knows of the session a token belongs to; nil if it is
    /// none of ours.
    package func session(
        of token: String, contract: String, workspace: String
    ) async throws -> KnownSession? {
        preconditionFailure("not built yet")
    }

    /// Empties a workspace: accounts, sessions, mail.
    package func reset(workspace: String) async throws {
        preconditionFailure("not built yet")
    }
}
