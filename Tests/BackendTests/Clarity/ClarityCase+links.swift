import Support
import Web

/// The page behind the mailed links.
extension ClarityCase {
    private static let next = "http://localhost:5173/done?a=b"

    /// The mail's link that verifies, as asked for with `continueUrl` or not.
    private static func verifyLink(_ house: BackendHouse, next: String? = nil) async throws
        -> String
    {
        var json: [JSON.Member] = [
            .init("requestType", "VERIFY_EMAIL"),
            .init("idToken", .string(await house.person().idToken)),
        ]
        if let next { json.append(.init("continueUrl", .string(next))) }
        _ = await house.google("sendOobCode", .object(json))
        return try await house.link(to: BackendHouse.email)
    }

    private static func submit(_ code: String, _ password: String, next: String? = nil) -> Request {
        var fields = [("oobCode", code), ("newPassword", password)]
        if let next { fields.append(("continueUrl", next)) }
        return .post(
            "/emulator/action", Form.encode(fields), type: "application/x-www-form-urlencoded")
    }

    static let links: [ContractCase] = [
        of("action/verify") { house in .link(try await verifyLink(house)) },
        of("action/verify-and-continue") { house in .link(try await verifyLink(house, next: next))
        },
        of("action/verify-scanned") { house in .link(try await verifyLink(house), method: .head) },
        of("action/verify-again") { house in
            let link = try await verifyLink(house, next: next)
            _ = await house.follow(link)
            return .link(link)
        },
        of("action/verify-expired") { house in
            let link = try await verifyLink(house)
            house.frozen.advance(by: 86_400)
            return .link(link)
        },
        of("action/reset") { house in
            await house.person()
            _ = try await house.resetCode(next: next)
            return .link(try await house.link(to: BackendHouse.email, purpose: "reset"))
        },
        of("action/reset-weak") { house in
            await house.person()
            return submit(try await house.resetCode(), "weak12", next: next)
        },
        of("action/reset-letters-only") { house in
            await house.person()
            return submit(try await house.resetCode(), "Weakpassword")
        },
        of("action/reset-long") { house in
            await house.person()
            return submit(try await house.resetCode(), "Aa1" + String(repeating: "x", count: 509))
        },
        of("action/reset-done") { house in
            await house.person()
            return submit(try await house.resetCode(), "A new passw0rd", next: next)
        },
        of("action/reset-elsewhere") { house in
            await house.person()
            return submit(
                try await house.resetCode(), "A new passw0rd", next: "javascript:alert(1)")
        },
        of("action/reset-used") { house in
            await house.person()
            let code = try await house.resetCode()
            _ = await house.send(submit(code, "A new passw0rd"))
            return submit(code, "Another passw0rd")
        },
        of("action/reset-disabled") { house in
            await house.person()
            let code = try await house.resetCode()
            try await house.disableAll()
            return submit(code, "A new passw0rd")
        },
        of("action/unknown-code") { _ in
            .link(BackendHouse.base + "/emulator/action?mode=resetPassword&oobCode=x")
        },
        of("action/unknown-mode") { _ in .link(BackendHouse.base + "/emulator/action?mode=signIn")
        },
    ]
}
