import Apps
import Testing
import Web

/// A request tells which of an app's calls it is.
@Suite(.timeLimit(.minutes(10))) struct CallMatcherTests {
    private func names(
        _ app: String, _ method: Method, _ path: String,
        query: [(name: String, value: String)] = [], body: ObservedRequest.Body = .none,
        backend: String = "embedded", settings: [String: JSON] = [:]
    ) throws -> [String] {
        let book = CallMatcher(
            try Manifests.own(app), backend: backend, settings: Variables(settings))
        return book.matchedCalls(
            for: ObservedRequest(method: method, path: path, query: query, body: body)
        ).map(
            \.name)
    }

    @Test func `by method and path`() throws {
        #expect(try names("mystica", .get, "/auth/me") == ["me"])
        #expect(try names("mystica", .post, "/auth/me") == [])
        #expect(try names("mystica", .get, "/auth/me/") == ["me"])
        #expect(try names("mystica", .get, "/v1/auth/me") == [])
    }

    @Test func `by what the query says`() throws {
        for (grant, name) in [
            ("password", ["signIn"]), ("refresh_token", ["refresh"]), ("pkce", []),
        ] {
            #expect(
                try names(
                    "socoto", .post, "/auth/v1/token", query: [("grant_type", grant)],
                    body: .json([:])) == name)
        }
    }

    @Test func `by what the body says, whatever is encoded in the path`() throws {
        let path = "/identitytoolkit.googleapis.com/v1/accounts%3AsendOobCode"
        let settings: [String: JSON] = [
            "identityURL": "/identitytoolkit.googleapis.com", "apiURL": "/",
        ]
        #expect(
            try names(
                "clarity", .post, path,
                body: .json(["requestType": "PASSWORD_RESET", "email": "a@b.example"]),
                settings: settings) == ["reset"])
        #expect(
            try names(
                "clarity", .post, path,
                body: .json(["requestType": "VERIFY_EMAIL", "idToken": "t"]), settings: settings)
                == ["resendCode", "sendVerification"])
    }

    @Test func `what stands where the call has variables`() throws {
        let book = CallMatcher(
            try Manifests.own("mystica"), backend: "embedded", settings: Variables())
        let found = book.matchedCalls(
            for: ObservedRequest(
                method: .post, path: "/auth/login", query: [],
                body: .json(["email": "a@b.example", "password": "x", "z": 1])))
        #expect(found.first?.variables["email"] == "a@b.example")
        #expect(found.first?.variables["password"] == "x")
        let bearer = book.matchedCalls(
            for: ObservedRequest(method: .get, path: "/auth/me", query: [], bearer: "its-own"))
        #expect(bearer.first?.variables["accessToken"] == "its-own")
    }

    @Test func `a call with a base of its own goes there`() throws {
        let book = CallMatcher(
            try Manifests.own("clarity"), backend: "firebase",
            settings: Variables([
                "identityURL": "https://identitytoolkit.googleapis.com",
                "tokenURL": "https://securetoken.googleapis.com", "apiURL": "/",
            ]))
        #expect(
            book.customBase(for: .post, path: "/v1/accounts:signUp")
                == "https://identitytoolkit.googleapis.com")
        #expect(
            book.customBase(for: .post, path: "/v1/token") == "https://securetoken.googleapis.com")
        #expect(book.customBase(for: .get, path: "/api/v1/auth/me") == nil)
        #expect(book.customBase(for: .get, path: "/anything") == nil)
    }
}
