import Support
import Web

/// Asking for mails, and the pages behind their links.
extension MysticaCase {
    static let address = #"{"email":"ada@example.com"}"#

    static let mails: [MysticaCase] = [
        MysticaCase(name: "resend-verification/known") { house in
            await house.register()
            return .json("/auth/resend-verification", address)
        }, .post("resend-verification/unknown", "/auth/resend-verification", address),
        .post("resend-verification/missing", "/auth/resend-verification", "{}"),
        MysticaCase(name: "reset-password/known") { house in
            await house.register()
            return .json("/auth/reset-password", address)
        }, .post("reset-password/unknown", "/auth/reset-password", address),
        .post("reset-password/missing", "/auth/reset-password", "{}"),
        MysticaCase(name: "verify/done") { house in
            await house.register()
            return .link(try await house.link(to: BackendHouse.email))
        },
        MysticaCase(name: "verify/again") { house in
            await house.register()
            let link = try await house.link(to: BackendHouse.email)
            _ = await house.follow(link)
            return .link(link)
        },
        MysticaCase(name: "verify/expired") { house in
            await house.register()
            house.frozen.advance(by: 86_400)
            return .link(try await house.link(to: BackendHouse.email))
        },
        MysticaCase(name: "verify/replaced") { house in
            await house.register()
            let link = try await house.link(to: BackendHouse.email)
            _ = await house.post(
                "/auth/resend-verification", ["email": .string(BackendHouse.email)])
            return .link(link)
        },
        MysticaCase(name: "verify/unknown") { _ in
            .link(BackendHouse.base + "/main/mystica/verify?token=x")
        }, MysticaCase(name: "reset/form") { house in .link(try await house.resetLink()) },
        MysticaCase(name: "reset/weak") { house in try await house.resetRequest(password: "short")
        },
        MysticaCase(name: "reset/done") { house in
            try await house.resetRequest(password: "a new password")
        },
        MysticaCase(name: "reset/used") { house in
            let request = try await house.resetRequest(password: "a new password")
            _ = await house.send(request)
            return request
        },
    ]
}

extension BackendHouse {
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
