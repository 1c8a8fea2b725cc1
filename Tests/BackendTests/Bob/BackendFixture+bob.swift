import Web

/// People of Bob's server, in either dialect.
extension BackendFixture {
    static let bob = "/main/bob/api/auth"
    static let nest = "/main/bob/nest/api/auth"
    /// What the NestJS server takes for a password.
    static let strong = "Hammer-and-nail-1"
    static let bobLogin = #"{"email":"john@example.com","password":"\#(strong)"}"#

    /// Registered in the document's dialect.
    func bob(_ email: String = "john@example.com") async {
        _ = await send(
            .post(
                Self.bob + "/register",
                """
                {"email":"\(email)","password":"\(Self.strong)",\
                "first_name":"John","last_name":"Doe"}
                """))
    }

    func bobSignedIn(_ email: String = "john@example.com") async -> (
        access: String, refresh: String
    ) {
        let reply = await send(
            .post(Self.bob + "/login", #"{"email":"\#(email)","password":"\#(Self.strong)"}"#))
        let tokens = reply.json["tokens"]
        return (tokens?["access_token"]?.string ?? "", tokens?["refresh_token"]?.string ?? "")
    }

    func bobRefresh(_ token: String) async -> Reply {
        await send(.post(Self.bob + "/refresh", #"{"refresh_token":"\#(token)"}"#))
    }

    func nestLogin(_ password: String = strong, peer: String = "127.0.0.1") async -> Reply {
        await send(
            .post(
                Self.nest + "/login", #"{"email":"john@example.com","password":"\#(password)"}"#,
                peer: peer))
    }

    func nestRefresh(_ token: String) async -> Reply {
        await send(.post(Self.nest + "/refresh", #"{"refreshToken":"\#(token)"}"#))
    }
}

extension Reply {
    /// `/accessToken` and `/refreshToken` of a camel-case dialect.
    var camelAccess: String { json["accessToken"]?.string ?? "" }
    var camelRefresh: String { json["refreshToken"]?.string ?? "" }
}
