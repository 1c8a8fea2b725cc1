import Support
import Web

/// The page behind the mailed links.
extension ClarityCase {
    private static let next = "http://localhost:5173/done?a=b"

    /// The mail's link that verifies, as asked for with `continueUrl` or not.
    private static func verifyLink(_ fixture: BackendFixture, next: String? = nil) async throws
        -> String
    {
        var json: [JSON.Member] = [
            .init("requestType", "VERIFY_EMAIL"),
            .init("idToken", .string(await fixture.person().idToken)),
        ]
        if let next { json.append(.init("continueUrl", .string(next))) }
        _ = await fixture.google("sendOobCode", .object(json))
        return try await fixture.link(to: BackendFixture.email)
    }

    private static func submit(_ code: String, _ password: String, next: String? = nil) -> Request {
        var fields = [("oobCode", code), ("newPassword", password)]
        if let next { fields.append(("continueUrl", next)) }
        return .post(
            "/emulator/action", Form.encode(fields), type: "application/x-www-form-urlencoded")
    }

    static let links: [ContractCase] = [
        of("action/verify") { fixture in .link(try await verifyLink(fixture)) },
        of("action/verify-and-continue") { fixture in
            .link(try await verifyLink(fixture, next: next))
        },
        of("action/verify-scanned") { fixture in .link(try await verifyLink(fixture), method: .head)
        },
        of("action/verify-again") { fixture in
            let link = try await verifyLink(fixture, next: next)
            _ = await fixture.follow(link)
            return .link(link)
        },
        of("action/verify-expired") { fixture in
            let link = try await verifyLink(fixture)
            fixture.frozen.advance(by: 86_400)
            return .link(link)
        },
        of("action/reset") { fixture in
            await fixture.person()
            _ = try await fixture.resetCode(next: next)
            return .link(try await fixture.link(to: BackendFixture.email, purpose: "reset"))
        },
        of("action/reset-weak") { fixture in
            await fixture.person()
            return submit(try await fixture.resetCode(), "weak12", next: next)
        },
        of("action/reset-letters-only") { fixture in
            await fixture.person()
            return submit(try await fixture.resetCode(), "Weakpassword")
        },
        of("action/reset-long") { fixture in
            await fixture.person()
            return submit(try await fixture.resetCode(), "Aa1" + String(repeating: "x", count: 509))
        },
        of("action/reset-done") { fixture in
            await fixture.person()
            return submit(try await fixture.resetCode(), "A new passw0rd", next: next)
        },
        of("action/reset-elsewhere") { fixture in
            await fixture.person()
            return submit(
                try await fixture.resetCode(), "A new passw0rd", next: "javascript:alert(1)")
        },
        of("action/reset-used") { fixture in
            await fixture.person()
            let code = try await fixture.resetCode()
            _ = await fixture.send(submit(code, "A new passw0rd"))
            return submit(code, "Another passw0rd")
        },
        of("action/reset-disabled") { fixture in
            await fixture.person()
            let code = try await fixture.resetCode()
            try await fixture.disableAll()
            return submit(code, "A new passw0rd")
        },
        of("action/unknown-code") { _ in
            .link(BackendFixture.base + "/emulator/action?mode=resetPassword&oobCode=x")
        },
        of("action/unknown-mode") { _ in .link(BackendFixture.base + "/emulator/action?mode=signIn")
        },
    ]
}
