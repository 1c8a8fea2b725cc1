import Web

/// What the backend that is built in does for trouble on purpose: it has the
/// keys a forged token is signed with.
package struct TokenForger: Sendable {
    /// `http://127.0.0.1:7071`; empty if there is none.
    let baseURL: String
    /// The same token with something wrong, signed like it; nil if it is none
    /// of the backend's.
    let forge: @Sendable (_ token: String, _ wrong: Defect, BackendTarget) -> String?
    /// Has the backend see a refresh token as used by somebody else before.
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

    /// A contract in a workspace, as a call's URL tells it.
    package struct BackendTarget: Sendable, Equatable {
        package var workspace: String
        package var contract: String
    }

    /// Where on the embedded backend `url` leads; nil for anywhere else.
    func target(of url: String) -> BackendTarget? {
        let url = Web.URLParts(url)
        guard !baseURL.isEmpty, url.suffix(below: baseURL) != nil else { return nil }
        let parts = url.path.split(separator: "/", maxSplits: 2)
        guard parts.count >= 2 else { return nil }
        return BackendTarget(workspace: String(parts[0]), contract: String(parts[1]))
    }
}
