import Web

/// People who have come some way already.
extension BackendFixture {
    static let email = "ada@example.com"
    static let password = "correct horse"

    @discardableResult func register(
        _ email: String = BackendFixture.email, _ password: String = BackendFixture.password,
        in workspace: String = "main"
    ) async -> Reply {
        await post(
            "/auth/register", ["email": .string(email), "password": .string(password)],
            in: workspace)
    }

    /// Registered, and followed the link.
    func verified(_ email: String = BackendFixture.email, in workspace: String = "main")
        async throws
    {
        await register(email, in: workspace)
        _ = await follow(try await link(to: email, in: workspace))
    }

    func login(
        _ email: String = BackendFixture.email, _ password: String = BackendFixture.password,
        in workspace: String = "main"
    ) async -> Reply {
        await post(
            "/auth/login", ["email": .string(email), "password": .string(password)], in: workspace)
    }

    /// Verified and signed in.
    func signedIn(_ email: String = BackendFixture.email) async throws -> Reply {
        try await verified(email)
        return await login(email)
    }

    func registerDevice(
        _ device: String = "0b54a7a2-53b2-4f8e-9d5c-1c5a6c1f6f10", in workspace: String = "main"
    ) async -> Reply {
        await post("/auth/register-device", ["device_id": .string(device)], in: workspace)
    }
}
