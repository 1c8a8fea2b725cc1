import Core
import Support
import Web

@testable import Backend

/// The Cognito backend's mailed codes.
extension ClarityCase {
    private static let emailBody = #"{"email":"ada@example.com"}"#

    private static func confirmRequest(_ code: String) -> Request {
        .cognito("/confirm-email", #"{"email":"ada@example.com","code":"\#(code)"}"#)
    }

    private static func resetRequest(_ code: String, _ password: String = "a new password")
        -> Request
    {
        .cognito(
            "/reset-password",
            #"{"email":"ada@example.com","code":"\#(code)","new_password":"\#(password)"}"#)
    }

    static let cognitoCodes: [ContractCase] = [
        testCase("cognito/confirm-email/done") { fixture in
            confirmRequest(try await fixture.registerWithCognito())
        },
        testCase("cognito/confirm-email/wrong") { fixture in
            _ = try await fixture.registerWithCognito()
            return confirmRequest("000000")
        },
        testCase("cognito/confirm-email/guessed-too-often") { fixture in
            let code = try await fixture.registerWithCognito()
            for _ in 0..<5 { _ = await fixture.send(confirmRequest("000000")) }
            return confirmRequest(code)
        },
        testCase("cognito/confirm-email/expired") { fixture in
            let code = try await fixture.registerWithCognito()
            fixture.frozen.advance(by: 86_400)
            return confirmRequest(code)
        },
        testCase("cognito/confirm-email/replaced") { fixture in
            let code = try await fixture.registerWithCognito()
            _ = await fixture.send(.cognito("/resend-confirmation", emailBody))
            return confirmRequest(code)
        }, testCase("cognito/confirm-email/unknown") { _ in confirmRequest("000000") },
        testCase("cognito/confirm-email/missing") { _ in .cognito("/confirm-email", "{}") },
        testCase("cognito/resend-confirmation/sent") { fixture in
            _ = try await fixture.registerWithCognito()
            return .cognito("/resend-confirmation", emailBody)
        },
        testCase("cognito/resend-confirmation/unknown") { _ in
            .cognito("/resend-confirmation", emailBody)
        },
        testCase("cognito/resend-confirmation/too-often") { fixture in
            _ = try await fixture.registerWithCognito()
            for _ in 0..<5 { _ = await fixture.send(.cognito("/resend-confirmation", emailBody)) }
            return .cognito("/resend-confirmation", emailBody)
        },
        testCase("cognito/forgot-password/sent") { fixture in
            try await fixture.signUpWithCognito()
            return .cognito("/forgot-password", emailBody)
        },
        testCase("cognito/forgot-password/unknown") { _ in .cognito("/forgot-password", emailBody)
        },
        testCase("cognito/reset-password/done") { fixture in
            try await fixture.signUpWithCognito()
            return resetRequest(try await fixture.cognitoResetCode())
        },
        testCase("cognito/reset-password/used") { fixture in
            try await fixture.signUpWithCognito()
            let code = try await fixture.cognitoResetCode()
            _ = await fixture.send(resetRequest(code))
            return resetRequest(code)
        },
        testCase("cognito/reset-password/weak") { fixture in
            try await fixture.signUpWithCognito()
            return resetRequest(try await fixture.cognitoResetCode(), "1234567")
        },
        testCase("cognito/reset-password/wrong") { fixture in
            try await fixture.signUpWithCognito()
            return resetRequest("000000")
        },
    ]
}

extension BackendFixture {
    /// Registers with the Cognito backend and returns the mailed code.
    func registerWithCognito() async throws -> String {
        _ = await send(.cognito("/register", ClarityCase.cognitoCredentials))
        return try await mailedCode("verify")
    }

    /// Registers with the Cognito backend, confirms the address and signs in.
    @discardableResult func signUpWithCognito() async throws -> Reply {
        let code = try await registerWithCognito()
        _ = await send(
            .cognito("/confirm-email", #"{"email":"ada@example.com","code":"\#(code)"}"#))
        return await send(.cognito("/login", ClarityCase.cognitoCredentials))
    }

    /// Requests a mailed code for a new password from the Cognito backend and returns it.
    func cognitoResetCode() async throws -> String {
        _ = await send(.cognito("/forgot-password", #"{"email":"ada@example.com"}"#))
        return try await mailedCode("reset")
    }

    private func mailedCode(_ purpose: String) async throws -> String {
        let page = try await backend.mailbox.list(
            workspace: "main", to: Self.email, purpose: purpose)
        return page.items.first?.code ?? "no mail"
    }
}

extension Request {
    static func cognito(_ path: String, _ body: String = "", bearer: String? = nil) -> Request {
        .post("\(BackendFixture.clarity)/cognito/api/v1/auth\(path)", body, bearer: bearer)
    }
}
