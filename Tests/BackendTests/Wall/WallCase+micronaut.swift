import Support
import Web

/// The Micronaut server's dialect: codes.
extension WallCase {
    private static let base = BackendFixture.micronautPath

    private static func sendCode(_ name: String, _ email: String, _ purpose: String) -> ContractCase
    {
        .post(
            "wall/java/send-code/\(name)", base + "/email/send-code",
            #"{"email":\#(email),"purpose":"\#(purpose)"}"#)
    }

    private static func codeRequest(
        _ path: String, _ code: String, _ email: String = BackendFixture.studentEmail
    ) -> Request { .post(base + path, BackendFixture.micronautCodeBody(code, email)) }

    static let micronautCodes: [ContractCase] = [
        sendCode("register", #""ada@mit.edu""#, "register"),
        sendCode("blank", #"" ""#, "register"),
        sendCode("null", "null", "register"),
        sendCode("login-unknown", #""ada@mit.edu""#, "login"),
        sendCode("reset-unknown", #""ada@mit.edu""#, "reset_password"),
        sendCode("login-no-address", #""ada""#, "login"),
        sendCode("reset-no-address", #""ada""#, "reset_password"),
        sendCode("register-no-address", #""ada""#, "register"),
        sendCode("unknown-purpose", #""ada@mit.edu""#, "marry"),
        ContractCase("wall/java/send-code/login") { fixture in
            try await fixture.registerWallMember()
            return .post(base + "/email/send-code", #"{"email":"ada@mit.edu","purpose":"login"}"#)
        },
        ContractCase("wall/java/send-code/register-known") { fixture in
            try await fixture.registerWallMember()
            return .post(
                base + "/email/send-code", #"{"email":"ada@mit.edu","purpose":"register"}"#)
        }, .post("wall/java/send-code/malformed", base + "/email/send-code", "{"),
        .post("wall/java/send-code/array", base + "/email/send-code", "[]"),
        .post(
            "wall/java/send-code/form", base + "/email/send-code", "email=a",
            type: "application/x-www-form-urlencoded"),
        ContractCase("wall/java/register/created") { fixture in
            await fixture.sendMicronautCode("register")
            return codeRequest("/register/email", try await fixture.wallCode())
        },
        ContractCase("wall/java/register/no-school") { fixture in
            await fixture.sendMicronautCode("register", "ada@example.com")
            return codeRequest(
                "/register/email", try await fixture.wallCode("ada@example.com"), "ada@example.com")
        },
        ContractCase("wall/java/register/wrong") { fixture in
            await fixture.sendMicronautCode("register")
            return codeRequest("/register/email", "000000")
        },
        ContractCase("wall/java/register/expired") { fixture in
            await fixture.sendMicronautCode("register")
            fixture.frozen.advance(by: 900)
            return codeRequest("/register/email", try await fixture.wallCode())
        },
        ContractCase("wall/java/register/known") { fixture in
            try await fixture.registerWallMember()
            return codeRequest("/register/email", "000000")
        }, .post("wall/java/register/missing", base + "/register/email", "{}"),
        ContractCase("wall/java/login/signed-in") { fixture in
            try await fixture.registerWallMember()
            await fixture.sendMicronautCode("login")
            return codeRequest("/login/email", try await fixture.wallCode())
        },
        ContractCase("wall/java/login/other-purpose") { fixture in
            await fixture.sendMicronautCode("register")
            return codeRequest("/login/email", try await fixture.wallCode())
        },
        ContractCase("wall/java/login/used") { fixture in
            try await fixture.registerWallMember()
            await fixture.sendMicronautCode("login")
            let code = try await fixture.wallCode()
            _ = await fixture.send(codeRequest("/login/email", code))
            return codeRequest("/login/email", code)
        },
        ContractCase("wall/java/login/expired") { fixture in
            try await fixture.registerWallMember()
            await fixture.sendMicronautCode("login")
            fixture.frozen.advance(by: 900)
            return codeRequest("/login/email", try await fixture.wallCode())
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
