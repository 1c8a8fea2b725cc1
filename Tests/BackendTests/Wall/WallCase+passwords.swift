import Support
import Web

/// The Micronaut server's dialect: passwords.
extension WallCase {
    private static let base = BackendHouse.campus
    private static let login = """
        {"email":"ada@mit.edu","password":"wallflower"}
        """

    private static func reset(_ name: String, _ code: String? = nil, later: Double = 0)
        -> ContractCase
    {
        ContractCase("wall/java/password-reset/\(name)") { house in
            _ = try await house.campusMember()
            _ = await house.send(
                .post(base + "/password/reset-request", #"{"email":"ada@mit.edu"}"#))
            house.frozen.advance(by: later)
            let sent = try await house.code(purpose: "reset")
            return .post(
                base + "/password/reset",
                """
                {"email":"ada@mit.edu","code":"\(code ?? sent)",\
                "newPassword":"snapdragon"}
                """)
        }
    }

    private static func change(_ name: String, _ body: String) -> ContractCase {
        ContractCase("wall/java/password-change/\(name)") { house in
            try await house.campusMember().call("/password/change", body)
        }
    }

    static let passwords: [ContractCase] = [
        ContractCase("wall/java/login-password/signed-in") { house in
            _ = try await house.campusMember()
            return .post(base + "/login/password", login)
        },
        ContractCase("wall/java/login-password/wrong") { house in
            _ = try await house.campusMember()
            return .post(base + "/login/password", #"{"email":"ada@mit.edu","password":"x"}"#)
        },
        ContractCase("wall/java/login-password/not-set") { house in
            try await house.wallMember()
            return .post(base + "/login/password", login)
        }, .post("wall/java/login-password/unknown", base + "/login/password", login),
        .post("wall/java/login-password/missing", base + "/login/password", "{}"),
        ContractCase("wall/java/password-set/done") { house in
            BackendHouse.Member(try await house.wallMember()).call(
                "/password/set", #"{"password":"wallflower"}"#)
        },
        ContractCase("wall/java/password-set/twice") { house in
            try await house.campusMember().call("/password/set", #"{"password":"snapdragon"}"#)
        },
        ContractCase("wall/java/password-set/missing") { house in
            BackendHouse.Member(try await house.wallMember()).call("/password/set", "{}")
        },
        .post(
            "wall/java/password-set/no-token", base + "/password/set", #"{"password":"wallflower"}"#
        ),
        ContractCase("wall/java/password-set/no-user-id") { house in
            let member = BackendHouse.Member(try await house.wallMember())
            return .post(
                base + "/password/set", #"{"password":"wallflower"}"#, bearer: member.token)
        },
        ContractCase("wall/java/password-set/other-user-id") { house in
            let member = BackendHouse.Member(try await house.wallMember())
            return .post(
                base + "/password/set", #"{"password":"wallflower"}"#, bearer: member.token,
                [("X-User-Id", "0b54a7a2-53b2-4f8e-9d5c-1c5a6c1f6f10")])
        }, change("done", #"{"oldPassword":"wallflower","newPassword":"snapdragon"}"#),
        change("wrong", #"{"oldPassword":"x","newPassword":"snapdragon"}"#),
        change("missing", #"{"oldPassword":"wallflower"}"#),
        ContractCase("wall/java/password-change/not-set") { house in
            BackendHouse.Member(try await house.wallMember()).call(
                "/password/change", #"{"oldPassword":"wallflower","newPassword":"snapdragon"}"#)
        },
        ContractCase("wall/java/password-change/expired") { house in
            let member = try await house.campusMember()
            house.frozen.advance(by: 86_400)
            return member.call("/password/change", "{}")
        },
        ContractCase("wall/java/password-reset-request/sent") { house in
            try await house.wallMember()
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
        ContractCase("wall/java/password-reset/no-password") { house in
            _ = try await house.campusMember()
            return .post(base + "/password/reset", #"{"email":"ada@mit.edu","code":"000000"}"#)
        },
    ]
}
