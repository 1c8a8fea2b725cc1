import SQLite
import Synchronization

/// Tells an observer of the workspaces in which sessions ended or accounts
/// changed, after the write that did it.
final class SessionEndNotifier: Sendable {
    private let observer = Mutex<(@Sendable (String) -> Void)?>(nil)

    func observe(_ note: @escaping @Sendable (String) -> Void) { observer.withLock { $0 = note } }

    /// Within the write, so that what it did is seen; nothing where nobody
    /// observes.
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
