import Support
import Web

@testable import Backend

/// The Cognito backend: codes by mail.
extension ClarityCase {
    private static let asked = #"{"email":"ada@example.com"}"#

    private static func confirming(_ code: String) -> Request {
        .cognito("/confirm-email", #"{"email":"ada@example.com","code":"\#(code)"}"#)
    }

    private static func resetting(_ code: String, _ password: String = "a new password") -> Request
    {
        .cognito(
            "/reset-password",
            #"{"email":"ada@example.com","code":"\#(code)","new_password":"\#(password)"}"#)
    }

    static let cognitoCodes: [ContractCase] = [
        of("cognito/confirm-email/done") { fixture in confirming(try await fixture.registered()) },
        of("cognito/confirm-email/wrong") { fixture in
            _ = try await fixture.registered()
            return confirming("000000")
        },
        of("cognito/confirm-email/guessed-too-often") { fixture in
            let code = try await fixture.registered()
            for _ in 0..<5 { _ = await fixture.send(confirming("000000")) }
            return confirming(code)
        },
        of("cognito/confirm-email/expired") { fixture in
            let code = try await fixture.registered()
            fixture.frozen.advance(by: 86_400)
            return confirming(code)
        },
        of("cognito/confirm-email/replaced") { fixture in
            let code = try await fixture.registered()
            _ = await fixture.send(.cognito("/resend-confirmation", asked))
            return confirming(code)
        }, of("cognito/confirm-email/unknown") { _ in confirming("000000") },
        of("cognito/confirm-email/missing") { _ in .cognito("/confirm-email", "{}") },
        of("cognito/resend-confirmation/sent") { fixture in
            _ = try await fixture.registered()
            return .cognito("/resend-confirmation", asked)
        },
        of("cognito/resend-confirmation/unknown") { _ in .cognito("/resend-confirmation", asked) },
        of("cognito/resend-confirmation/too-often") { fixture in
            _ = try await fixture.registered()
            for _ in 0..<5 { _ = await fixture.send(.cognito("/resend-confirmation", asked)) }
            return .cognito("/resend-confirmation", asked)
        },
        of("cognito/forgot-password/sent") { fixture in
            try await fixture.confirmed()
            return .cognito("/forgot-password", asked)
        }, of("cognito/forgot-password/unknown") { _ in .cognito("/forgot-password", asked) },
        of("cognito/reset-password/done") { fixture in
            try await fixture.confirmed()
            return resetting(try await fixture.forgotten())
        },
        of("cognito/reset-password/used") { fixture in
            try await fixture.confirmed()
            let code = try await fixture.forgotten()
            _ = await fixture.send(resetting(code))
            return resetting(code)
        },
        of("cognito/reset-password/weak") { fixture in
            try await fixture.confirmed()
            return resetting(try await fixture.forgotten(), "1234567")
        },
        of("cognito/reset-password/wrong") { fixture in
            try await fixture.confirmed()
            return resetting("000000")
        },
    ]
}

extension BackendFixture {
    /// Registered with the Cognito backend: the mailed code.
    func registered() async throws -> String {
        _ = await send(.cognito("/register", ClarityCase.cognitoPerson))
        return try await mailedCode("verify")
    }

    /// Confirmed and signed in.
    @discardableResult func confirmed() async throws -> Reply {
        let code = try await registered()
        _ = await send(
            .cognito("/confirm-email", #"{"email":"ada@example.com","code":"\#(code)"}"#))
        return await send(.cognito("/login", ClarityCase.cognitoPerson))
    }

    /// The code to set a new password.
    func forgotten() async throws -> String {
        _ = await send(.cognito("/forgot-password", #"{"email":"ada@example.com"}"#))
        return try await mailedCode("reset")
    }

    private func mailedCode(_ purpose: String) async throws -> String {
        let page = try await backend.mailbox.list(
            workspace: "main", to: Self.email, purpose: purpose, limit: 1)
        return page.items.first?.code ?? "no mail"
    }
}

extension Request {
    static func cognito(_ path: String, _ body: String = "", bearer: String? = nil) -> Request {
        .post("\(BackendFixture.clarity)/cognito/api/v1/auth\(path)", body, bearer: bearer)
    }
}
