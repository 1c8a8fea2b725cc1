import Web

/// Accounts of Mystica's server at various stages of signing in.
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

    /// Registers an account and follows the link of its verification mail.
    func registerVerified(_ email: String = BackendFixture.email, in workspace: String = "main")
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

    /// Registers and verifies an account, then signs in.
    func signInVerified(_ email: String = BackendFixture.email) async throws -> Reply {
        try await registerVerified(email)
        return await login(email)
    }

    func registerDevice(
        _ device: String = "0b54a7a2-53b2-4f8e-9d5c-1c5a6c1f6f10", in workspace: String = "main"
    ) async -> Reply {
        await post("/auth/register-device", ["device_id": .string(device)], in: workspace)
    }
}
