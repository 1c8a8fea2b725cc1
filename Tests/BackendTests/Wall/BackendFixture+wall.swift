import Core
import Web

@testable import Backend

/// Accounts of Anonymous Wall's server, in either dialect.
extension BackendFixture {
    static let wallPath = "/main/wall/auth"
    static let micronautPath = "/main/wall/api/v1/auth"
    /// An address of a domain that the Micronaut server accepts.
    static let studentEmail = "ada@mit.edu"

    @discardableResult func postWall(_ path: String, _ email: String = studentEmail) async -> Reply
    {
        await send(.post("\(Self.wallPath)\(path)", #"{"email":"\#(email)"}"#))
    }

    @discardableResult func sendMicronautCode(_ purpose: String, _ email: String = studentEmail)
        async -> Reply
    {
        await send(
            .post(
                Self.micronautPath + "/email/send-code",
                #"{"email":"\#(email)","purpose":"\#(purpose)"}"#)
        )
    }

    /// The newest mailed code; "no mail" if there is none.
    func wallCode(_ email: String = studentEmail, purpose: String? = nil) async throws -> String {
        let page = try await backend.mailbox.list(
            workspace: "main", to: email, app: "wall", purpose: purpose)
        return page.items.first?.code ?? "no mail"
    }

    func wallLogin(_ code: String, _ email: String = studentEmail) async -> Reply {
        await send(.post(Self.wallPath + "/login", Self.wallCodeBody(code, email)))
    }

    /// A code as the specification's dialect reads it.
    static func wallCodeBody(_ code: String, _ email: String = studentEmail) -> String {
        #"{"email":"\#(email)","verification_code":"\#(code)"}"#
    }

    /// A code as the Micronaut server reads it.
    static func micronautCodeBody(_ code: String, _ email: String = studentEmail) -> String {
        #"{"email":"\#(email)","code":"\#(code)"}"#
    }

    /// Registers an account and signs in, in the specification's dialect.
    @discardableResult func registerWallMember(_ email: String = studentEmail) async throws -> Reply
    {
        await postWall("/register", email)
        return await wallLogin(try await wallCode(email), email)
    }
}
