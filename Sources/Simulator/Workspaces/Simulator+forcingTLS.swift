import Synchronization

/// Letting no connection to the embedded backend come about.
extension Simulator {
    /// From now on calls from the workspace to the embedded backend begin
    /// with a TLS handshake, which that knows nothing of.
    package func forceTLS(_ workspace: String) {
        runner.workspacesForcingTLS.withLock { _ = $0.insert(workspace) }
    }

    /// They begin as they should again.
    package func stopForcingTLS(_ workspace: String) {
        runner.workspacesForcingTLS.withLock { _ = $0.remove(workspace) }
    }
}
