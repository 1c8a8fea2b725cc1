import Apps
package import Backend
import Core
import FoundationEssentials
package import Simulator
import Web

/// Expires an access token manually.
///
/// The embedded backend signs the same claims again with an `exp` one second ago. For a real
/// backend Foyer has no signing key: the token gets an `exp` in the past but keeps its old
/// signature, which the token inspector reports as invalid. The backend rejects the token in either
/// case.
package struct TokenExpirer: Sendable {
    private let simulator: Simulator
    private let backend: EmbeddedBackend

    package init(simulator: Simulator, backend: EmbeddedBackend) {
        self.simulator = simulator
        self.backend = backend
    }

    /// Replaces the stored access token with an expired one; throws if there is none.
    package func expire(_ instance: AppInstance) async throws {
        guard let token = try await simulator.storedValue(instance, holding: "accessToken") else {
            throw Problem(
                status: 409, code: "no-token", title: "No access token",
                detail: "Sign in on the device first.")
        }
        let expired = try await expiredToken(token, instance)
        try await simulator.replaceAccessToken(
            instance, with: expired, reason: "Access token expired manually")
    }

    private func expiredToken(_ token: String, _ instance: AppInstance) async throws -> String {
        let status = try await simulator.status(instance)
        let contract = status.app.backends.first { $0.id == status.backend }?.contract
        if let contract,
            let expired = backend.makeExpired(
                token, contract: contract, workspace: instance.workspace)
        {
            return expired
        }
        guard let expired = withPastExpiry(token, instance) else {
            throw Problem(
                status: 409, code: "opaque-token", title: "This access token has no expiry",
                detail: "The token is opaque. Edit or delete it in the storage instead.")
        }
        return expired
    }

    /// Sets `exp` to one second ago and keeps the old signature.
    private func withPastExpiry(_ token: String, _ instance: AppInstance) -> String? {
        let parts = token.split(separator: ".")
        guard parts.count == 3, let bytes = Base64URL.decode(parts[1]),
            case .object(var members)? = try? JSON(parsing: bytes),
            let index = members.firstIndex(where: { $0.name == "exp" })
        else { return nil }
        let now = simulator.clocks.now(in: instance.workspace)
        members[index].value = .int(Int64(now.timeIntervalSince1970) - 1)
        let payload = Base64URL.encode(JSON.object(members).bytes)
        return "\(parts[0]).\(payload).\(parts[2])"
    }
}
