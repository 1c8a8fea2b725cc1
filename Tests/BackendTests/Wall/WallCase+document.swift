import Support
import Web

/// The document's dialect of Anonymous Wall's server.
enum WallCase {
    private static let base = BackendHouse.wall
    private static let ada = #"{"email":"ada@mit.edu"}"#

    static let document: [ContractCase] = [
        .post("wall/document/register/sent", base + "/register", ada),
        ContractCase("wall/document/register/again") { house in
            await house.wall("/register")
            return .post(base + "/register", ada)
        },
        ContractCase("wall/document/register/exists") { house in
            try await house.wallMember()
            return .post(base + "/register", ada)
        }, .post("wall/document/register/missing", base + "/register", "{}"),
        .post("wall/document/register/no-email", base + "/register", #"{"email":"invalid"}"#),
        ContractCase("wall/document/register/too-many") { house in
            for _ in 0..<5 { await house.wall("/register") }
            return .post(base + "/register", ada)
        },
        ContractCase("wall/document/request-code/sent") { house in
            try await house.wallMember()
            return .post(base + "/request-code", ada)
        }, .post("wall/document/request-code/unknown", base + "/request-code", ada),
        .post("wall/document/request-code/missing", base + "/request-code", "{}"),
        ContractCase("wall/document/request-code/too-many") { house in
            try await house.wallMember()
            for _ in 0..<5 { await house.wall("/request-code") }
            return .post(base + "/request-code", ada)
        },
        ContractCase("wall/document/login/registered") { house in
            await house.wall("/register")
            return .post(base + "/login", BackendHouse.typed(try await house.code()))
        },
        ContractCase("wall/document/login/returning") { house in
            try await house.wallMember()
            await house.wall("/request-code")
            return .post(base + "/login", BackendHouse.typed(try await house.code()))
        },
        ContractCase("wall/document/login/wrong") { house in
            await house.wall("/register")
            return .post(base + "/login", BackendHouse.typed("000000"))
        },
        ContractCase("wall/document/login/used") { house in
            try await house.wallMember()
            return .post(base + "/login", BackendHouse.typed(try await house.code()))
        },
        ContractCase("wall/document/login/replaced") { house in
            await house.wall("/register")
            let code = try await house.code()
            await house.wall("/request-code")
            return .post(base + "/login", BackendHouse.typed(code))
        },
        ContractCase("wall/document/login/expired") { house in
            await house.wall("/register")
            house.frozen.advance(by: 900)
            return .post(base + "/login", BackendHouse.typed(try await house.code()))
        },
        ContractCase("wall/document/login/too-many-guesses") { house in
            await house.wall("/register")
            for _ in 0..<5 { _ = await house.wallLogin("000000") }
            return .post(base + "/login", BackendHouse.typed(try await house.code()))
        }, .post("wall/document/login/unknown", base + "/login", BackendHouse.typed("000000")),
        .post("wall/document/login/no-code", base + "/login", ada),
        .post("wall/document/login/malformed", base + "/login", "{"),
        .post("wall/document/login/array", base + "/login", "[]"),
        .post(
            "wall/document/login/wrong-type", base + "/login",
            #"{"email":"ada@mit.edu","verification_code":123456}"#),
        .post(
            "wall/document/login/form", base + "/login", "email=a",
            type: "application/x-www-form-urlencoded"),
        ContractCase("wall/document/edges/unknown-route") { _ in
            Request(method: .get, target: "/main/wall/auth/nothing?x=1")
        },
        ContractCase("wall/document/edges/wrong-method") { _ in
            Request(method: .get, target: base + "/login")
        },
        ContractCase("wall/document/edges/unknown-workspace") { _ in
            .post("/elsewhere/wall/auth/register", ada)
        },
    ]
}
