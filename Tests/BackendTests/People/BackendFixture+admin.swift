import Backend
import Web

/// What whoever runs the server does in tests.
extension BackendFixture {
    typealias Known = EmbeddedBackend.AccountDetails

    /// Ada, with the password of all tests.
    @discardableResult func add(
        _ contract: String, _ state: AccountDraft.State = .verified, ttl: Int? = nil
    ) async throws -> Known {
        try await backend.addAccount(
            contract: contract, workspace: "main",
            draft: AccountDraft(
                email: Self.email, password: Self.password, state: state,
                displayName: backend.storesNames(contract: contract) ? "Ada Lovelace" : nil,
                accessTokenTTL: ttl)
        ).account
    }

    @discardableResult func change(_ account: Known, _ body: (inout AccountChange) -> Void)
        async throws -> Known
    {
        var change = AccountChange()
        body(&change)
        return try await backend.change(change, account: account.id, workspace: "main")
    }

    /// Ada's login, wherever.
    func bobLogin(_ password: String = password) async -> Reply {
        await send(
            .post(Self.bob + "/login", #"{"email":"\#(Self.email)","password":"\#(password)"}"#))
    }

    func cognitoLogin(_ password: String = password) async -> Reply {
        await send(
            .post(
                Self.clarity + "/cognito/api/v1/auth/login",
                #"{"email":"\#(Self.email)","password":"\#(password)"}"#))
    }

    func secureToken(_ refreshToken: String) async -> Reply {
        await send(
            .secureToken(
                Form.encode([("grant_type", "refresh_token"), ("refresh_token", refreshToken)])))
    }
}

/// The words of a refusal, and the field it names.
func refusal(_ work: () async throws -> Void) async -> (code: String, pointer: String?)? {
    do {
        try await work()
        return nil
    } catch let problem as Problem { return (problem.code, problem.errors.first?.pointer) } catch {
        return ("\(error)", nil)
    }
}
