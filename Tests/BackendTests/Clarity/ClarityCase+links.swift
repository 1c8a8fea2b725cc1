import Support
import Web

/// The page behind the mailed links.
extension ClarityCase {
    private static let continueURL = "http://localhost:5173/done?a=b"

    /// The mailed verification link, requested with or without `continueURL`.
    private static func verifyLink(_ fixture: BackendFixture, continueURL: String? = nil)
        async throws
        -> String
    {
        var json: [JSON.Member] = [
            .init("requestType", "VERIFY_EMAIL"),
            .init("idToken", .string(await fixture.signUpWithFirebase().idToken)),
        ]
        if let continueURL { json.append(.init("continueUrl", .string(continueURL))) }
        _ = await fixture.google("sendOobCode", .object(json))
        return try await fixture.link(to: BackendFixture.email)
    }

    static func submit(_ code: String, _ password: String, continueURL: String? = nil)
        -> Request
    {
        var fields = [("oobCode", code), ("newPassword", password)]
        if let continueURL { fields.append(("continueUrl", continueURL)) }
        return .post(
            "/emulator/action", Form.encode(fields), type: "application/x-www-form-urlencoded")
    }

    static let links: [ContractCase] = [
        testCase("action/verify") { fixture in .page(try await verifyLink(fixture)) },
        testCase("action/verify-and-continue") { fixture in
            .page(try await verifyLink(fixture, continueURL: continueURL))
        },
        testCase("action/verify-scanned") { fixture in
            .page(try await verifyLink(fixture), method: .head)
        },
        testCase("action/verify-again") { fixture in
            let link = try await verifyLink(fixture, continueURL: continueURL)
            _ = await fixture.follow(link)
            return .page(link)
        },
        testCase("action/verify-expired") { fixture in
            let link = try await verifyLink(fixture)
            fixture.frozen.advance(by: 86_400)
            return .page(link)
        },
        testCase("action/reset") { fixture in
            await fixture.signUpWithFirebase()
            _ = try await fixture.resetCode(continueURL: continueURL)
            return .page(try await fixture.link(to: BackendFixture.email, purpose: "reset"))
        },
        testCase("action/reset-weak") { fixture in
            await fixture.signUpWithFirebase()
            return submit(try await fixture.resetCode(), "weak12", continueURL: continueURL)
        },
        testCase("action/reset-letters-only") { fixture in
            await fixture.signUpWithFirebase()
            return submit(try await fixture.resetCode(), "Weakpassword")
        },
        testCase("action/reset-long") { fixture in
            await fixture.signUpWithFirebase()
            return submit(try await fixture.resetCode(), "Aa1" + String(repeating: "x", count: 509))
        },
        testCase("action/reset-done") { fixture in
            await fixture.signUpWithFirebase()
            return submit(try await fixture.resetCode(), "A new passw0rd", continueURL: continueURL)
        },
        testCase("action/reset-elsewhere") { fixture in
            await fixture.signUpWithFirebase()
            return submit(
                try await fixture.resetCode(), "A new passw0rd", continueURL: "javascript:alert(1)")
        },
        testCase("action/reset-used") { fixture in
            await fixture.signUpWithFirebase()
            let code = try await fixture.resetCode()
            _ = await fixture.send(submit(code, "A new passw0rd"))
            return submit(code, "Another passw0rd")
        },
        testCase("action/reset-disabled") { fixture in
            await fixture.signUpWithFirebase()
            let code = try await fixture.resetCode()
            try await fixture.disableAllAccounts()
            return submit(code, "A new passw0rd")
        },
        testCase("action/unknown-code") { _ in
            .page(BackendFixture.baseURL + "/emulator/action?mode=resetPassword&oobCode=x")
        },
        testCase("action/unknown-mode") { _ in
            .page(BackendFixture.baseURL + "/emulator/action?mode=signIn")
        },
    ]
}

extension Request {
    /// A request of a mailed link by a browser.
    static func page(_ link: String, method: Web.Method = .get) -> Request {
        Request(
            method: method, target: String(link.dropFirst(BackendFixture.baseURL.count)),
            headers: ["Accept": "text/html"])
    }
}
