import Backend
import Web

/// An administrator's actions, and Ada's sign-ins.
extension BackendFixture {
    typealias AccountDetails = EmbeddedBackend.AccountDetails

    /// Adds Ada's account, with the password of all tests.
    @discardableResult func addAccount(
        _ contract: String, _ state: AccountDraft.State = .verified, ttl: Int? = nil
    ) async throws -> AccountDetails {
        try await backend.addAccount(
            contract: contract, workspace: "main",
            draft: AccountDraft(
                email: Self.email, password: Self.password, state: state,
                displayName: backend.storesNames(contract: contract) ? "Ada Lovelace" : nil,
                accessTokenTTL: ttl)
        ).account
    }

    @discardableResult func changeAccount(
        _ account: AccountDetails, _ body: (inout AccountChange) -> Void
    )
        async throws -> AccountDetails
    {
        var change = AccountChange()
        body(&change)
        return try await backend.change(change, account: account.id, workspace: "main")
    }

    /// Ada's login at Bob's server.
    func bobLogin(_ password: String = password) async -> Reply {
        await send(
            .post(Self.bobPath + "/login", #"{"email":"\#(Self.email)","password":"\#(password)"}"#)
        )
    }

    /// Ada's login at Clarity's Cognito server.
    func cognitoLogin(_ password: String = password) async -> Reply {
        await send(
            .post(
                Self.clarity + "/cognito/api/v1/auth/login",
                #"{"email":"\#(Self.email)","password":"\#(password)"}"#))
    }

    /// A refresh at Clarity's Google server.
    func secureToken(_ refreshToken: String) async -> Reply {
        await send(
            .secureToken(
                Form.encode([("grant_type", "refresh_token"), ("refresh_token", refreshToken)])))
    }
}

/// The code of the problem that `work` throws, and the pointer to its field; nil if none is thrown.
func thrownProblem(_ work: () async throws -> Void) async -> (code: String, pointer: String?)? {
    do {
        try await work()
        return nil
    } catch let problem as Problem { return (problem.code, problem.errors.first?.pointer) } catch {
        return ("\(error)", nil)
    }
}
