import Web

@testable import Backend

/// People of Anonymous Wall's server, in either dialect.
extension BackendFixture {
    static let wall = "/main/wall/auth"
    static let campus = "/main/wall/api/v1/auth"
    /// Of a domain the Micronaut server takes.
    static let student = "ada@mit.edu"

    @discardableResult func wall(_ path: String, _ email: String = student) async -> Reply {
        await send(.post("\(Self.wall)\(path)", #"{"email":"\#(email)"}"#))
    }

    @discardableResult func campusCode(_ purpose: String, _ email: String = student) async -> Reply
    {
        await send(
            .post(
                Self.campus + "/email/send-code", #"{"email":"\#(email)","purpose":"\#(purpose)"}"#)
        )
    }

    /// The newest code that was mailed.
    func code(_ email: String = student, purpose: String? = nil) async throws -> String {
        let page = try await backend.mailbox.list(
            workspace: "main", to: email, app: "wall", purpose: purpose, limit: 1)
        return page.items.first?.code ?? "no mail"
    }

    func wallLogin(_ code: String, _ email: String = student) async -> Reply {
        await send(.post(Self.wall + "/login", Self.typed(code, email)))
    }

    static func typed(_ code: String, _ email: String = student) -> String {
        #"{"email":"\#(email)","verification_code":"\#(code)"}"#
    }

    /// The code as the Micronaut server reads it.
    static func campusTyped(_ code: String, _ email: String = student) -> String {
        #"{"email":"\#(email)","code":"\#(code)"}"#
    }

    /// Registered and signed in, in the document's dialect.
    @discardableResult func wallMember(_ email: String = student) async throws -> Reply {
        await wall("/register", email)
        return await wallLogin(try await code(email), email)
    }
}
