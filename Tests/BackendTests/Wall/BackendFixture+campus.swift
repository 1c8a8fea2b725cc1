import Web

/// Accounts of the Micronaut server with a password.
extension BackendFixture {
    /// A signed-in account, for requests to the Micronaut server.
    struct WallMember {
        let token: String
        let id: String
        let refreshToken: String

        init(_ reply: Reply) {
            token = (reply.json["accessToken"] ?? reply.json["token"])?.string ?? ""
            id = reply.json["user"]?["id"]?.string ?? ""
            refreshToken = reply.json["refresh_token"]?.string ?? ""
        }

        func post(_ content: String, at path: String = "/main/wall/posts") -> Request {
            .post(path, #"{"content":"\#(content)"}"#, bearer: token)
        }

        func list(_ target: String = "/main/wall/posts") -> Request {
            Request(
                method: .get, target: target, headers: ["Authorization": "Bearer \(token)"])
        }

        func request(_ path: String, _ body: String) -> Request {
            .post(BackendFixture.micronautPath + path, body, bearer: token, [("X-User-Id", id)])
        }
    }

    /// Registers an account and sets the password "wallflower".
    func registerMicronautMember() async throws -> WallMember {
        let member = WallMember(try await registerWallMember())
        _ = await send(member.request("/password/set", #"{"password":"wallflower"}"#))
        return member
    }

    func micronautLogin(_ password: String) async -> Reply {
        await send(
            .post(
                Self.micronautPath + "/login/password",
                #"{"email":"ada@mit.edu","password":"\#(password)"}"#))
    }
}
