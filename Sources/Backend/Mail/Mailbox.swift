package import FoundationEssentials

/// The mail the embedded backend sent, caught, per workspace.
package struct Mailbox: Sendable {
    /// Newest first; `to` matches the whole address, case-insensitively.
    package func list(
        workspace: String, to: String? = nil, app: String? = nil,
        purpose: String? = nil, before: Int64? = nil, limit: Int = 50
    ) async throws -> (items: [Mail], total: Int, hasOlder: Bool) {
        preconditionFailure("not built yet")
    }

    package func mail(
        _ id: String, workspace: String
    ) async throws -> Mail? {
        preconditionFailure("not built yet")
    }

    /// Empties it; answers how many there were.
    package func forget(workspace: String) async throws -> Int {
        preconditionFailure("not built yet")
    }

    /// Waits until a mail to `to` sent at or after `since` is there, without
    /// polling; nil at the time-out.
    package func wait(
        workspace: String, to: String?, app: String? = nil, purpose: String?,
        since: Date?, timeout: Duration
    ) async throws -> Mail? {
        preconditionFailure("not built yet")
    }

    /// Why no such mail is there, as a sentence: nothing asked for one, asked
    /// for another address, the rate limit holds until a time …
    package func explainAbsence(
        workspace: String, to: String?, purpose: String?, since: Date?
    ) async throws -> String {
        preconditionFailure("not built yet")
    }
}
