import Support
import Web

/// The Micronaut server's dialect: codes.
extension WallCase {
    private static let base = BackendFixture.campus

    private static func send(_ name: String, _ email: String, _ purpose: String) -> ContractCase {
        .post(
            "wall/java/send-code/\(name)", base + "/email/send-code",
            #"{"email":\#(email),"purpose":"\#(purpose)"}"#)
    }

    private static func typed(
        _ path: String, _ code: String, _ email: String = BackendFixture.student
    ) -> Request { .post(base + path, BackendFixture.campusTyped(code, email)) }

    static let javaCodes: [ContractCase] = [
        send("register", #""ada@mit.edu""#, "register"),
        send("blank", #"" ""#, "register"),
        send("null", "null", "register"),
        send("login-unknown", #""ada@mit.edu""#, "login"),
        send("reset-unknown", #""ada@mit.edu""#, "reset_password"),
        send("login-no-address", #""ada""#, "login"),
        send("reset-no-address", #""ada""#, "reset_password"),
        send("register-no-address", #""ada""#, "register"),
        send("unknown-purpose", #""ada@mit.edu""#, "marry"),
        ContractCase("wall/java/send-code/login") { fixture in
            try await fixture.wallMember()
            return .post(base + "/email/send-code", #"{"email":"ada@mit.edu","purpose":"login"}"#)
        },
        ContractCase("wall/java/send-code/register-known") { fixture in
            try await fixture.wallMember()
            return .post(
                base + "/email/send-code", #"{"email":"ada@mit.edu","purpose":"register"}"#)
        }, .post("wall/java/send-code/malformed", base + "/email/send-code", "{"),
        .post("wall/java/send-code/array", base + "/email/send-code", "[]"),
        .post(
            "wall/java/send-code/form", base + "/email/send-code", "email=a",
            type: "application/x-www-form-urlencoded"),
        ContractCase("wall/java/register/created") { fixture in
            await fixture.campusCode("register")
            return typed("/register/email", try await fixture.code())
        },
        ContractCase("wall/java/register/no-school") { fixture in
            await fixture.campusCode("register", "ada@example.com")
            return typed(
                "/register/email", try await fixture.code("ada@example.com"), "ada@example.com")
        },
        ContractCase("wall/java/register/wrong") { fixture in
            await fixture.campusCode("register")
            return typed("/register/email", "000000")
        },
        ContractCase("wall/java/register/expired") { fixture in
            await fixture.campusCode("register")
            fixture.frozen.advance(by: 900)
            return typed("/register/email", try await fixture.code())
        },
        ContractCase("wall/java/register/known") { fixture in
            try await fixture.wallMember()
            return typed("/register/email", "000000")
        }, .post("wall/java/register/missing", base + "/register/email", "{}"),
        ContractCase("wall/java/login/signed-in") { fixture in
            try await fixture.wallMember()
            await fixture.campusCode("login")
            return typed("/login/email", try await fixture.code())
        },
        ContractCase("wall/java/login/other-purpose") { fixture in
            await fixture.campusCode("register")
            return typed("/login/email", try await fixture.code())
        },
        ContractCase("wall/java/login/used") { fixture in
            try await fixture.wallMember()
            await fixture.campusCode("login")
            let code = try await fixture.code()
            _ = await fixture.send(typed("/login/email", code))
            return typed("/login/email", code)
        },
        ContractCase("wall/java/login/expired") { fixture in
            try await fixture.wallMember()
            await fixture.campusCode("login")
            fixture.frozen.advance(by: 900)
            return typed("/login/email", try await fixture.code())
        }, .post("wall/java/login/missing", base + "/login/email", "{}"),
        ContractCase("wall/java/edges/unknown-route") { _ in
            Request(method: .get, target: "/main/wall/api/v1/nothing?x=1")
        },
        ContractCase("wall/java/edges/wrong-method") { _ in
            Request(method: .delete, target: base + "/login/email")
        },
        ContractCase("wall/java/edges/unknown-workspace") { _ in
            .post("/elsewhere/wall/api/v1/auth/login/email", "{}")
        },
    ]
}
