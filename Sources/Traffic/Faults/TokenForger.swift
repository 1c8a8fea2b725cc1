import Web

/// Access to the embedded backend for token faults: it has the keys that sign forged tokens.
package struct TokenForger: Sendable {
    /// For instance `http://127.0.0.1:7071`; empty without an embedded backend.
    let baseURL: String
    /// Returns the same token with a defect, correctly signed; nil if the embedded backend did not
    /// issue it.
    let forge: @Sendable (_ token: String, _ defect: Defect, BackendTarget) -> String?
    /// Makes the backend treat a refresh token as already used by another client.
    let markRefreshTokenUsed: @Sendable (_ token: String, BackendTarget) async throws -> Void

    package init(
        baseURL: String, forge: @escaping @Sendable (String, Defect, BackendTarget) -> String?,
        markRefreshTokenUsed: @escaping @Sendable (String, BackendTarget) async throws -> Void
    ) {
        self.baseURL = baseURL
        self.forge = forge
        self.markRefreshTokenUsed = markRefreshTokenUsed
    }

    /// For calls to real backends only.
    package static let none = TokenForger(
        baseURL: "", forge: { _, _, _ in nil }, markRefreshTokenUsed: { _, _ in })

    package enum Defect: Sendable { case expired, wrongAudience }

    /// A contract in a workspace, as derived from a call's URL.
    package struct BackendTarget: Sendable, Equatable {
        package var workspace: String
        package var contract: String
    }

    /// The target of `url` on the embedded backend; nil for any other host.
    func target(of url: String) -> BackendTarget? {
        let url = Web.URLParts(url)
        guard !baseURL.isEmpty, url.suffix(below: baseURL) != nil else { return nil }
        let parts = url.path.split(separator: "/", maxSplits: 2)
        guard parts.count >= 2 else { return nil }
        return BackendTarget(workspace: String(parts[0]), contract: String(parts[1]))
    }
}
