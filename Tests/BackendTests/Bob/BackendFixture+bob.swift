import Web

/// Accounts of Bob's server, in either dialect.
extension BackendFixture {
    static let bobPath = "/main/bob/api/auth"
    static let nestPath = "/main/bob/nest/api/auth"
    /// A password that the NestJS server accepts.
    static let strongPassword = "Hammer-and-nail-1"
    static let bobLoginBody = #"{"email":"john@example.com","password":"\#(strongPassword)"}"#

    /// Registers an account in the specification's dialect.
    func registerBob(_ email: String = "john@example.com") async {
        _ = await send(
            .post(
                Self.bobPath + "/register",
                """
                {"email":"\(email)","password":"\(Self.strongPassword)",\
                "first_name":"John","last_name":"Doe"}
                """))
    }

    /// Signs in, in the specification's dialect.
    func bobSignIn(_ email: String = "john@example.com") async -> (
        access: String, refresh: String
    ) {
        let reply = await send(
            .post(
                Self.bobPath + "/login",
                #"{"email":"\#(email)","password":"\#(Self.strongPassword)"}"#))
        let tokens = reply.json["tokens"]
        return (tokens?["access_token"]?.string ?? "", tokens?["refresh_token"]?.string ?? "")
    }

    func bobRefresh(_ token: String) async -> Reply {
        await send(.post(Self.bobPath + "/refresh", #"{"refresh_token":"\#(token)"}"#))
    }

    func nestLogin(_ password: String = strongPassword, peer: String = "127.0.0.1") async -> Reply {
        await send(
            .post(
                Self.nestPath + "/login",
                #"{"email":"john@example.com","password":"\#(password)"}"#,
                peer: peer))
    }

    func nestRefresh(_ token: String) async -> Reply {
        await send(.post(Self.nestPath + "/refresh", #"{"refreshToken":"\#(token)"}"#))
    }
}

extension Reply {
    /// `/accessToken` and `/refreshToken` of a camel-case dialect.
    var camelCaseAccessToken: String { json["accessToken"]?.string ?? "" }
    var camelCaseRefreshToken: String { json["refreshToken"]?.string ?? "" }
}
