import Support
import Web

/// Requests for mails, and the pages of their links.
extension MysticaCase {
    static let address = #"{"email":"ada@example.com"}"#

    static let mails: [MysticaCase] = [
        MysticaCase(name: "resend-verification/known") { fixture in
            await fixture.register()
            return .mysticaPost("/auth/resend-verification", address)
        }, .post("resend-verification/unknown", "/auth/resend-verification", address),
        .post("resend-verification/missing", "/auth/resend-verification", "{}"),
        MysticaCase(name: "reset-password/known") { fixture in
            await fixture.register()
            return .mysticaPost("/auth/reset-password", address)
        }, .post("reset-password/unknown", "/auth/reset-password", address),
        .post("reset-password/missing", "/auth/reset-password", "{}"),
        MysticaCase(name: "verify/done") { fixture in
            await fixture.register()
            return .link(try await fixture.link(to: BackendFixture.email))
        },
        MysticaCase(name: "verify/again") { fixture in
            await fixture.register()
            let link = try await fixture.link(to: BackendFixture.email)
            _ = await fixture.follow(link)
            return .link(link)
        },
        MysticaCase(name: "verify/expired") { fixture in
            await fixture.register()
            fixture.frozen.advance(by: 86_400)
            return .link(try await fixture.link(to: BackendFixture.email))
        },
        MysticaCase(name: "verify/replaced") { fixture in
            await fixture.register()
            let link = try await fixture.link(to: BackendFixture.email)
            _ = await fixture.post(
                "/auth/resend-verification", ["email": .string(BackendFixture.email)])
            return .link(link)
        },
        MysticaCase(name: "verify/unknown") { _ in
            .link(BackendFixture.baseURL + "/main/mystica/verify?token=x")
        }, MysticaCase(name: "reset/form") { fixture in .link(try await fixture.resetLink()) },
        MysticaCase(name: "reset/weak") { fixture in
            try await fixture.resetRequest(password: "short")
        },
        MysticaCase(name: "reset/done") { fixture in
            try await fixture.resetRequest(password: "a new password")
        },
        MysticaCase(name: "reset/used") { fixture in
            let request = try await fixture.resetRequest(password: "a new password")
            _ = await fixture.send(request)
            return request
        },
    ]
}

extension BackendFixture {
    /// Registers and verifies an account, requests a reset mail and returns its link.
    func resetLink() async throws -> String {
        try await registerVerified()
        _ = await post("/auth/reset-password", ["email": .string(Self.email)])
        return try await link(to: Self.email, purpose: "reset")
    }

    /// The request that submits the form of a new reset link.
    func resetRequest(password: String) async throws -> Request {
        let token = try await resetLink().split(separator: "token=").last
        return Request(
            method: .post, target: "/main/mystica/reset",
            headers: ["Content-Type": "application/x-www-form-urlencoded"],
            body: Array(
                Form.encode([("token", String(token ?? "")), ("password", password)]).utf8))
    }
}
