import Support
import Web

/// The Micronaut server's dialect: passwords.
extension WallCase {
    private static let base = BackendFixture.micronautPath
    private static let login = """
        {"email":"ada@mit.edu","password":"wallflower"}
        """

    private static func reset(_ name: String, _ code: String? = nil, later: Double = 0)
        -> ContractCase
    {
        ContractCase("wall/java/password-reset/\(name)") { fixture in
            _ = try await fixture.registerMicronautMember()
            _ = await fixture.send(
                .post(base + "/password/reset-request", #"{"email":"ada@mit.edu"}"#))
            fixture.frozen.advance(by: later)
            let mailedCode = try await fixture.wallCode(purpose: "reset")
            return .post(
                base + "/password/reset",
                """
                {"email":"ada@mit.edu","code":"\(code ?? mailedCode)",\
                "newPassword":"snapdragon"}
                """)
        }
    }

    private static func change(_ name: String, _ body: String) -> ContractCase {
        ContractCase("wall/java/password-change/\(name)") { fixture in
            try await fixture.registerMicronautMember().request("/password/change", body)
        }
    }

    static let passwords: [ContractCase] = [
        ContractCase("wall/java/login-password/signed-in") { fixture in
            _ = try await fixture.registerMicronautMember()
            return .post(base + "/login/password", login)
        },
        ContractCase("wall/java/login-password/wrong") { fixture in
            _ = try await fixture.registerMicronautMember()
            return .post(base + "/login/password", #"{"email":"ada@mit.edu","password":"x"}"#)
        },
        ContractCase("wall/java/login-password/not-set") { fixture in
            try await fixture.registerWallMember()
            return .post(base + "/login/password", login)
        }, .post("wall/java/login-password/unknown", base + "/login/password", login),
        .post("wall/java/login-password/missing", base + "/login/password", "{}"),
        ContractCase("wall/java/password-set/done") { fixture in
            BackendFixture.WallMember(try await fixture.registerWallMember()).request(
                "/password/set", #"{"password":"wallflower"}"#)
        },
        ContractCase("wall/java/password-set/twice") { fixture in
            try await fixture.registerMicronautMember().request(
                "/password/set", #"{"password":"snapdragon"}"#)
        },
        ContractCase("wall/java/password-set/missing") { fixture in
            BackendFixture.WallMember(try await fixture.registerWallMember()).request(
                "/password/set", "{}")
        },
        .post(
            "wall/java/password-set/no-token", base + "/password/set", #"{"password":"wallflower"}"#
        ),
        ContractCase("wall/java/password-set/no-user-id") { fixture in
            let member = BackendFixture.WallMember(try await fixture.registerWallMember())
            return .post(
                base + "/password/set", #"{"password":"wallflower"}"#, bearer: member.token)
        },
        ContractCase("wall/java/password-set/other-user-id") { fixture in
            let member = BackendFixture.WallMember(try await fixture.registerWallMember())
            return .post(
                base + "/password/set", #"{"password":"wallflower"}"#, bearer: member.token,
                [("X-User-Id", "0b54a7a2-53b2-4f8e-9d5c-1c5a6c1f6f10")])
        }, change("done", #"{"oldPassword":"wallflower","newPassword":"snapdragon"}"#),
        change("wrong", #"{"oldPassword":"x","newPassword":"snapdragon"}"#),
        change("missing", #"{"oldPassword":"wallflower"}"#),
        ContractCase("wall/java/password-change/not-set") { fixture in
            BackendFixture.WallMember(try await fixture.registerWallMember()).request(
                "/password/change", #"{"oldPassword":"wallflower","newPassword":"snapdragon"}"#)
        },
        ContractCase("wall/java/password-change/expired") { fixture in
            let member = try await fixture.registerMicronautMember()
            fixture.frozen.advance(by: 86_400)
            return member.request("/password/change", "{}")
        },
        ContractCase("wall/java/password-reset-request/sent") { fixture in
            try await fixture.registerWallMember()
            return .post(base + "/password/reset-request", #"{"email":"ada@mit.edu"}"#)
        },
        .post(
            "wall/java/password-reset-request/unknown", base + "/password/reset-request",
            #"{"email":"ada@mit.edu"}"#),
        .post("wall/java/password-reset-request/missing", base + "/password/reset-request", "{}"),
        reset("done"), reset("wrong", "000000"), reset("expired", later: 900),
        .post(
            "wall/java/password-reset/unknown", base + "/password/reset",
            #"{"email":"ada@mit.edu","code":"000000","newPassword":"x"}"#),
        ContractCase("wall/java/password-reset/no-password") { fixture in
            _ = try await fixture.registerMicronautMember()
            return .post(base + "/password/reset", #"{"email":"ada@mit.edu","code":"000000"}"#)
        },
    ]
}
