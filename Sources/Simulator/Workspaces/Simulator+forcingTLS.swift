import Synchronization

/// Simulates a TLS failure by dialing the plain-HTTP backend with https.
extension Simulator {
    /// Makes the workspace's calls to the embedded backend start with a TLS handshake, which it
    /// does not support.
    package func forceTLS(_ workspace: String) {
        runner.workspacesForcingTLS.withLock { _ = $0.insert(workspace) }
    }

    /// Ends `forceTLS`.
    package func stopForcingTLS(_ workspace: String) {
        runner.workspacesForcingTLS.withLock { _ = $0.remove(workspace) }
    }
}
