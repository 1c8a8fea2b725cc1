import FoundationEssentials
import SQLite
import Testing
import Web

@testable import Backend
@testable import BackendContracts

/// Requests to Clarity's servers, and accounts in various states.
extension BackendFixture {
    static let clarity = "/main/clarity"
    static let newPassword = "a new password"

    /// Sends a request to Identity Toolkit.
    func google(_ method: String, _ json: JSON) async -> Reply {
        await send(.google(method, json.description))
    }

    /// Signs up with Identity Toolkit and returns the response, which has both tokens.
    @discardableResult func signUpWithFirebase(_ email: String = BackendFixture.email) async
        -> Reply
    {
        await google("signUp", ["email": .string(email), "password": .string(Self.password)])
    }

    /// Signs in with Identity Toolkit.
    func signInWithFirebase(_ password: String = BackendFixture.password) async -> Reply {
        await google(
            "signInWithPassword", ["email": .string(Self.email), "password": .string(password)])
    }

    func lookup(_ token: String) async -> Reply {
        await google("lookup", ["idToken": .string(token)])
    }

    /// Requests a verification mail with the user's token and returns its code.
    func verificationCode(_ token: String) async throws -> String {
        _ = await google("sendOobCode", ["requestType": "VERIFY_EMAIL", "idToken": .string(token)])
        return Self.code(in: try await link(to: Self.email))
    }

    /// Requests a reset mail and returns its code.
    func resetCode(continueURL: String? = nil) async throws -> String {
        var json: [JSON.Member] = [
            .init("requestType", "PASSWORD_RESET"), .init("email", .string(Self.email)),
        ]
        if let continueURL { json.append(.init("continueUrl", .string(continueURL))) }
        _ = await google("sendOobCode", .object(json))
        return Self.code(in: try await link(to: Self.email, purpose: "reset"))
    }

    static func code(in link: String) -> String {
        let rest = link.split(separator: "oobCode=").last ?? ""
        return String(rest.prefix { $0 != "&" })
    }

    /// Sets one of Clarity's switches.
    func setSwitch(_ name: String, isOn: Bool) async throws {
        _ = try await backend.setSwitch(name, isOn: isOn, of: "clarity", in: "main")
    }

    /// The contract itself, for tests of races that requests cannot time.
    func clarityContract() throws -> ClarityContract {
        let tokens = backend.contracts.first { $0.id == "clarity" }?.accessTokens
        return try ClarityContract(
            services: backend.context, accessTokens: #require(tokens),
            realm: Realm(workspace: "main", contract: "clarity"))
    }

    /// Disables all accounts.
    func disableAllAccounts() async throws {
        try await database.write { connection in
            try connection.run("UPDATE accounts SET disabled_at = 1")
        }
    }

    /// Enters as many wrong passwords as lock the account.
    func guessTooOften() async {
        for _ in 0..<10 { _ = await signInWithFirebase("wrong password") }
    }
}

extension Reply {
    var idToken: String { json["idToken"]?.string ?? "" }
    var googleRefreshToken: String { json["refreshToken"]?.string ?? "" }
    /// `/error/message` of Google's error format.
    var message: String? { json["error"]?["message"]?.string }
}

extension Request {
    /// A request to a method of Identity Toolkit, by its current name.
    static func google(
        _ method: String, _ body: String, query: String = "?key=k", bearer: String? = nil,
        _ extraHeaders: [(String, String)] = []
    ) -> Request {
        .post(
            "\(BackendFixture.clarity)/identitytoolkit.googleapis.com/v1/"
                + "accounts:\(method)\(query)", body, bearer: bearer, extraHeaders)
    }

    /// A request to Secure Token.
    static func secureToken(_ body: String, type: String = "application/x-www-form-urlencoded")
        -> Request
    {
        .post(
            BackendFixture.clarity + "/securetoken.googleapis.com/v1/token?key=k", body,
            type: type)
    }

    /// A request to Clarity's own backend.
    static func own(_ path: String, _ body: String = "", bearer: String? = nil) -> Request {
        .post("\(BackendFixture.clarity)/api/v1/auth\(path)", body, bearer: bearer)
    }
}
