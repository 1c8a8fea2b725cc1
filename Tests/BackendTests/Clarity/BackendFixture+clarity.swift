import FoundationEssentials
import SQLite
import Testing
import Web

@testable import Backend

/// People of Clarity's servers.
extension BackendFixture {
    static let clarity = "/main/clarity"
    static let newPassword = "a new password"

    /// A call to Identity Toolkit.
    func google(_ method: String, _ json: JSON) async -> Reply {
        await send(.google(method, json.description))
    }

    /// Signed up: the answer with both tokens.
    @discardableResult func person(_ email: String = BackendFixture.email) async -> Reply {
        await google("signUp", ["email": .string(email), "password": .string(Self.password)])
    }

    /// Signed in again.
    func back(_ password: String = BackendFixture.password) async -> Reply {
        await google(
            "signInWithPassword", ["email": .string(Self.email), "password": .string(password)])
    }

    func lookup(_ token: String) async -> Reply {
        await google("lookup", ["idToken": .string(token)])
    }

    /// The code of a mail that verifies, just asked for by whose token it is.
    func verificationCode(_ token: String) async throws -> String {
        _ = await google("sendOobCode", ["requestType": "VERIFY_EMAIL", "idToken": .string(token)])
        return Self.code(in: try await link(to: Self.email))
    }

    /// The code of a mail that resets, just asked for.
    func resetCode(next: String? = nil) async throws -> String {
        var json: [JSON.Member] = [
            .init("requestType", "PASSWORD_RESET"), .init("email", .string(Self.email)),
        ]
        if let next { json.append(.init("continueUrl", .string(next))) }
        _ = await google("sendOobCode", .object(json))
        return Self.code(in: try await link(to: Self.email, purpose: "reset"))
    }

    static func code(in link: String) -> String {
        let rest = link.split(separator: "oobCode=").last ?? ""
        return String(rest.prefix { $0 != "&" })
    }

    /// Turns one of Clarity's switches.
    func turn(_ name: String, on isOn: Bool) async throws {
        _ = try await backend.setSwitch(name, isOn: isOn, of: "clarity", in: "main")
    }

    /// The contract itself, for what no request can time.
    func clarityContract() throws -> ClarityContract {
        let tokens = backend.contracts.first { $0.id == "clarity" }?.accessTokens
        return try ClarityContract(services: backend.context, accessTokens: #require(tokens))
    }

    /// Disables everybody.
    func disableAll() async throws {
        try await database.write { connection in
            try connection.run("UPDATE accounts SET disabled_at = 1")
        }
    }

    /// As many wrong passwords as are borne.
    func guessTooOften() async { for _ in 0..<10 { _ = await back("wrong password") } }
}

extension Reply {
    var idToken: String { json["idToken"]?.string ?? "" }
    var googleRefreshToken: String { json["refreshToken"]?.string ?? "" }
    /// `/error/message` of Google's dialect.
    var message: String? { json["error"]?["message"]?.string }
}

extension Request {
    /// A method of Identity Toolkit's, by its name of today.
    static func google(
        _ method: String, _ body: String, query: String = "?key=k", bearer: String? = nil,
        _ more: [(String, String)] = []
    ) -> Request {
        .post(
            "\(BackendFixture.clarity)/identitytoolkit.googleapis.com/v1/"
                + "accounts:\(method)\(query)", body, bearer: bearer, more)
    }

    static func secureToken(_ body: String, type: String = "application/x-www-form-urlencoded")
        -> Request
    {
        .post(
            BackendFixture.clarity + "/securetoken.googleapis.com/v1/token?key=k", body,
            type: type)
    }

    /// Clarity's own backend.
    static func own(_ path: String, _ body: String = "", bearer: String? = nil) -> Request {
        .post("\(BackendFixture.clarity)/api/v1/auth\(path)", body, bearer: bearer)
    }
}
