import Support
import Web

/// The NestJS server's dialect: accounts.
extension BobCase {
    private static let base = BackendFixture.nestPath
    private static let ada = """
        {"email":" Ada@Example.com ","password":"Hammer-and-nail-1",\
        "firstName":"Ada","lastName":"Lovelace"}
        """

    private static func register(_ name: String, password: String) -> ContractCase {
        .post(
            "bob/nest/register/\(name)", base + "/register",
            """
            {"email":"ada@example.com","password":"\(password)",\
            "firstName":"Ada","lastName":"Lovelace"}
            """)
    }

    static let nestAccounts: [ContractCase] = [
        .post("bob/nest/register/created", base + "/register", ada),
        .post(
            "bob/nest/register/with-phone", base + "/register",
            """
            {"email":"ada@example.com","password":"Hammer-and-nail-1",\
            "firstName":"Ada","lastName":"Lovelace",\
            "phoneNumber":"+442079460958"}
            """),
        ContractCase("bob/nest/register/exists") { fixture in
            _ = await fixture.send(.post(base + "/register", ada))
            return .post(base + "/register", ada)
        }, .post("bob/nest/register/missing", base + "/register", "{}"),
        .post(
            "bob/nest/register/unknown-properties", base + "/register",
            """
            {"email":"ada@example.com","password":"Hammer-and-nail-1",\
            "firstName":"Ada","lastName":"Lovelace","first_name":"Ada",\
            "role":"admin"}
            """),
        .post(
            "bob/nest/register/fields", base + "/register",
            """
            {"email":"ada@localhost","password":"Hammer-and-nail-1",\
            "firstName":"","lastName":7,"phoneNumber":"020 7946 0958"}
            """), register("short", password: "Ab1!"), register("plain", password: "hammering"),
        register("spaces", password: " Hammer-1 "),
        register("with-email", password: "Ada@Example.com-1"),
        register("long", password: "Aa1!" + String(repeating: "x", count: 125)),
        ContractCase("bob/nest/login/signed-in") { fixture in
            await fixture.registerBob()
            return .post(base + "/login", BackendFixture.bobLoginBody)
        },
        ContractCase("bob/nest/login/wrong-password") { fixture in
            await fixture.registerBob()
            return .post(base + "/login", #"{"email":"john@example.com","password":"nail"}"#)
        }, .post("bob/nest/login/unknown", base + "/login", BackendFixture.bobLoginBody),
        .post("bob/nest/login/missing", base + "/login", "{}"),
        .post(
            "bob/nest/login/wrong-types", base + "/login", #"{"email":["a@b.co"],"password":17}"#),
        .post(
            "bob/nest/login/unknown-property", base + "/login",
            #"{"email":"a@b.co","password":"x","remember":true}"#),
        ContractCase("bob/nest/login/too-many") { fixture in
            await fixture.registerBob()
            for _ in 0..<5 { _ = await fixture.nestLogin("nail") }
            return .post(base + "/login", BackendFixture.bobLoginBody)
        }, .post("bob/nest/login/cut-off", base + "/login", #"{"email":"#),
        .post("bob/nest/login/malformed", base + "/login", "{email}"),
        .post("bob/nest/login/array", base + "/login", "[]"),
        ContractCase("bob/nest/login/form") { fixture in
            await fixture.registerBob()
            return .post(
                base + "/login", "email=john%40example.com&password=Hammer-and-nail-1",
                type: "application/x-www-form-urlencoded")
        }, ContractCase("bob/nest/login/nothing") { _ in .post(base + "/login") },
    ]
}
