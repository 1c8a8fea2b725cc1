import Support
import Web

/// Asking for mails, and the pages behind their links.
extension MysticaCase {
    static let address = #"{"email":"ada@example.com"}"#

    static let mails: [MysticaCase] = [
        MysticaCase(name: "resend-verification/known") { fixture in
            await fixture.register()
            return .json("/auth/resend-verification", address)
        }, .post("resend-verification/unknown", "/auth/resend-verification", address),
        .post("resend-verification/missing", "/auth/resend-verification", "{}"),
        MysticaCase(name: "reset-password/known") { fixture in
            await fixture.register()
            return .json("/auth/reset-password", address)
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
            .link(BackendFixture.base + "/main/mystica/verify?token=x")
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
    /// The link of a reset mail just asked for.
    func resetLink() async throws -> String {
        try await verified()
        _ = await post("/auth/reset-password", ["email": .string(Self.email)])
        return try await link(to: Self.email, purpose: "reset")
    }

    /// The form behind that link, filled in.
    func resetRequest(password: String) async throws -> Request {
        let secret = try await resetLink().split(separator: "token=").last
        return Request(
            method: .post, target: "/main/mystica/reset",
            headers: ["Content-Type": "application/x-www-form-urlencoded"],
            body: Array(
                Form.encode([("token", String(secret ?? "")), ("password", password)]).utf8))
    }
}
