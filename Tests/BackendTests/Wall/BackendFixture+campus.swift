import Web

/// People of the Micronaut server with a password.
extension BackendFixture {
    /// A signed-in account's calls.
    struct Member {
        let token: String
        let id: String

        init(_ reply: Reply) {
            token = (reply.json["accessToken"] ?? reply.json["token"])?.string ?? ""
            id = reply.json["user"]?["id"]?.string ?? ""
        }

        func call(_ path: String, _ body: String) -> Request {
            .post(BackendFixture.campus + path, body, bearer: token, [("X-User-Id", id)])
        }
    }

    /// Registered, with the password "wallflower".
    func campusMember() async throws -> Member {
        let member = Member(try await wallMember())
        _ = await send(member.call("/password/set", #"{"password":"wallflower"}"#))
        return member
    }

    func campusLogin(_ password: String) async -> Reply {
        await send(
            .post(
                Self.campus + "/login/password",
                #"{"email":"ada@mit.edu","password":"\#(password)"}"#))
    }
}
