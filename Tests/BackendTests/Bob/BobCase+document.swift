import Support
import Web

/// The specification's dialect of Bob's server.
enum BobCase {
    private static let base = BackendFixture.bobPath
    private static let john = """
        {"email":" John@Example.com ","password":"hammer","first_name":"John",\
        "last_name":"Doe"}
        """

    static let specification: [ContractCase] = [
        .post("bob/document/register/created", base + "/register", john),
        .post(
            "bob/document/register/camel-case", base + "/register",
            """
            {"email":"john@example.com","password":"hammer",\
            "firstName":"John","lastName":"Doe","phoneNumber":"+4420"}
            """),
        ContractCase("bob/document/register/exists") { fixture in
            await fixture.registerBob()
            return .post(base + "/register", john)
        },
        .post(
            "bob/document/register/missing", base + "/register",
            #"{"email":"john@example.com","password":"hammer"}"#),
        .post(
            "bob/document/register/no-email", base + "/register",
            """
            {"email":"john","password":"hammer","first_name":"J",\
            "last_name":"D"}
            """),
        .post(
            "bob/document/register/weak", base + "/register",
            """
            {"email":"a@b.co","password":"12345","first_name":"J",\
            "last_name":"D"}
            """),
        ContractCase("bob/document/login/signed-in") { fixture in
            await fixture.registerBob()
            return .post(base + "/login", BackendFixture.bobLoginBody)
        },
        ContractCase("bob/document/login/wrong-password") { fixture in
            await fixture.registerBob()
            return .post(base + "/login", #"{"email":"john@example.com","password":"nail"}"#)
        }, .post("bob/document/login/unknown", base + "/login", BackendFixture.bobLoginBody),
        .post("bob/document/login/missing", base + "/login", "{}"),
        .post("bob/document/login/malformed", base + "/login", "{"),
        .post("bob/document/login/array", base + "/login", "[]"),
        .post("bob/document/login/wrong-type", base + "/login", #"{"email":7,"password":"x"}"#),
        .post(
            "bob/document/login/form", base + "/login", "email=a",
            type: "application/x-www-form-urlencoded"),
        ContractCase("bob/document/refresh/rotated") { fixture in
            await fixture.registerBob()
            let token = await fixture.bobSignIn().refresh
            return .post(base + "/refresh", #"{"refresh_token":"\#(token)"}"#)
        },
        ContractCase("bob/document/refresh/reused") { fixture in
            await fixture.registerBob()
            let token = await fixture.bobSignIn().refresh
            _ = await fixture.bobRefresh(token)
            fixture.frozen.advance(by: 120)
            return .post(base + "/refresh", #"{"refresh_token":"\#(token)"}"#)
        },
        ContractCase("bob/document/refresh/signed-out") { fixture in
            await fixture.registerBob()
            let tokens = await fixture.bobSignIn()
            _ = await fixture.send(.post(base + "/logout", bearer: tokens.access))
            return .post(base + "/refresh", #"{"refresh_token":"\#(tokens.refresh)"}"#)
        },
        ContractCase("bob/document/refresh/expired") { fixture in
            await fixture.registerBob()
            let token = await fixture.bobSignIn().refresh
            fixture.frozen.advance(by: 604_800)
            return .post(base + "/refresh", #"{"refresh_token":"\#(token)"}"#)
        }, .post("bob/document/refresh/unknown", base + "/refresh", #"{"refresh_token":"nope"}"#),
        .post("bob/document/refresh/missing", base + "/refresh", "{}"),
        ContractCase("bob/document/logout/signed-out") { fixture in
            await fixture.registerBob()
            return .post(base + "/logout", bearer: await fixture.bobSignIn().access)
        },
        ContractCase("bob/document/logout/expired") { fixture in
            await fixture.registerBob()
            let token = await fixture.bobSignIn().access
            fixture.frozen.advance(by: 3_600)
            return .post(base + "/logout", bearer: token)
        }, ContractCase("bob/document/logout/no-token") { _ in .post(base + "/logout") },
        ContractCase("bob/document/edges/unknown-route") { _ in
            Request(method: .get, target: "/main/bob/api/nothing?x=1")
        },
        ContractCase("bob/document/edges/wrong-method") { _ in
            Request(method: .get, target: base + "/login")
        },
        ContractCase("bob/document/edges/unknown-workspace") { _ in
            .post("/elsewhere/bob/api/auth/login", BackendFixture.bobLoginBody)
        },
    ]
}
