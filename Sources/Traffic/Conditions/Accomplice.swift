import Web

/// What the backend that is built in does for trouble on purpose: it has the
/// keys a forged token is signed with.
package struct Accomplice: Sendable {
    /// `http://127.0.0.1:7071`; empty if there is none.
    let base: String
    /// The same token with something wrong, signed like it; nil if it is none
    /// of the backend's.
    let forge: @Sendable (_ token: String, _ wrong: Wrong, Address) -> String?
    /// Has the backend see a refresh token as used by somebody else before.
    let spend: @Sendable (_ token: String, Address) async throws -> Void

    package init(
        base: String, forge: @escaping @Sendable (String, Wrong, Address) -> String?,
        spend: @escaping @Sendable (String, Address) async throws -> Void
    ) {
        self.base = base
        self.forge = forge
        self.spend = spend
    }

    /// For calls to real backends only.
    package static let none = Accomplice(base: "", forge: { _, _, _ in nil }, spend: { _, _ in })

    package enum Wrong: Sendable { case expiry, audience }

    /// A contract in a workspace, as a call's URL tells it.
    package struct Address: Sendable, Equatable {
        package var workspace: String
        package var contract: String
    }

    /// Where on the embedded backend `url` leads; nil for anywhere else.
    func address(of url: String) -> Address? {
        let url = Web.Address(url)
        guard !base.isEmpty, url.rest(below: base) != nil else { return nil }
        let parts = url.path.split(separator: "/", maxSplits: 2)
        guard parts.count >= 2 else { return nil }
        return Address(workspace: String(parts[0]), contract: String(parts[1]))
    }
}
