import Support
import Web

/// The specification's dialect of Anonymous Wall's server.
enum WallCase {
    private static let base = BackendFixture.wallPath
    private static let ada = #"{"email":"ada@mit.edu"}"#

    static let specification: [ContractCase] = [
        .post("wall/document/register/sent", base + "/register", ada),
        ContractCase("wall/document/register/again") { fixture in
            await fixture.postWall("/register")
            return .post(base + "/register", ada)
        },
        ContractCase("wall/document/register/exists") { fixture in
            try await fixture.registerWallMember()
            return .post(base + "/register", ada)
        }, .post("wall/document/register/missing", base + "/register", "{}"),
        .post("wall/document/register/no-email", base + "/register", #"{"email":"invalid"}"#),
        ContractCase("wall/document/register/too-many") { fixture in
            for _ in 0..<5 { await fixture.postWall("/register") }
            return .post(base + "/register", ada)
        },
        ContractCase("wall/document/request-code/sent") { fixture in
            try await fixture.registerWallMember()
            return .post(base + "/request-code", ada)
        }, .post("wall/document/request-code/unknown", base + "/request-code", ada),
        .post("wall/document/request-code/missing", base + "/request-code", "{}"),
        ContractCase("wall/document/request-code/too-many") { fixture in
            try await fixture.registerWallMember()
            for _ in 0..<5 { await fixture.postWall("/request-code") }
            return .post(base + "/request-code", ada)
        },
        ContractCase("wall/document/login/registered") { fixture in
            await fixture.postWall("/register")
            return .post(base + "/login", BackendFixture.wallCodeBody(try await fixture.wallCode()))
        },
        ContractCase("wall/document/login/returning") { fixture in
            try await fixture.registerWallMember()
            await fixture.postWall("/request-code")
            return .post(base + "/login", BackendFixture.wallCodeBody(try await fixture.wallCode()))
        },
        ContractCase("wall/document/login/wrong") { fixture in
            await fixture.postWall("/register")
            return .post(base + "/login", BackendFixture.wallCodeBody("000000"))
        },
        ContractCase("wall/document/login/used") { fixture in
            try await fixture.registerWallMember()
            return .post(base + "/login", BackendFixture.wallCodeBody(try await fixture.wallCode()))
        },
        ContractCase("wall/document/login/replaced") { fixture in
            await fixture.postWall("/register")
            let code = try await fixture.wallCode()
            await fixture.postWall("/request-code")
            return .post(base + "/login", BackendFixture.wallCodeBody(code))
        },
        ContractCase("wall/document/login/expired") { fixture in
            await fixture.postWall("/register")
            fixture.frozen.advance(by: 900)
            return .post(base + "/login", BackendFixture.wallCodeBody(try await fixture.wallCode()))
        },
        ContractCase("wall/document/login/too-many-guesses") { fixture in
            await fixture.postWall("/register")
            for _ in 0..<5 { _ = await fixture.wallLogin("000000") }
            return .post(base + "/login", BackendFixture.wallCodeBody(try await fixture.wallCode()))
        },
        .post(
            "wall/document/login/unknown", base + "/login", BackendFixture.wallCodeBody("000000")),
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
