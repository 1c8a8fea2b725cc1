import SQLite
import Synchronization

/// Notifies an observer of workspaces in which sessions ended or accounts changed, after the
/// commit.
final class SessionEndNotifier: Sendable {
    private let observer = Mutex<(@Sendable (String) -> Void)?>(nil)

    func observe(_ note: @escaping @Sendable (String) -> Void) { observer.withLock { $0 = note } }

    /// Reads inside the write, so that its own changes are included; empty without an observer.
    func workspacesToNotify(_ connection: Connection) throws -> Set<String> {
        guard observer.withLock({ $0 != nil }) else { return [] }
        return try Self.workspacesWithEndedSessions(connection)
    }

    func notify(_ workspaces: Set<String>) {
        guard !workspaces.isEmpty, let note = observer.withLock(\.self) else { return }
        for workspace in workspaces { note(workspace) }
    }

    static func workspacesWithEndedSessions(_ connection: Connection) throws -> Set<String> {
        Set(try connection.rows("SELECT workspace FROM session_ends") { $0.text(0) })
    }
}
