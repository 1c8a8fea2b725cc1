@testable import Apps
import Testing
import Web

/// Finds the call of an app that a request matches.
@Suite(.timeLimit(.minutes(10))) struct CallMatcherTests {
    private func names(
        _ app: String, _ method: Method, _ path: String,
        query: [(name: String, value: String)] = [], body: ObservedRequest.Body = .none,
        backend: String = "embedded", settings: [String: JSON] = [:]
    ) throws -> [String] {
        let matcher = CallMatcher(
            try Manifests.bundled(app), backend: backend, settings: Variables(settings))
        return matcher.matchedCalls(
            for: ObservedRequest(method: method, path: path, query: query, body: body)
        ).map(
            \.name)
    }

    @Test func `a request matches by its method and path`() throws {
        #expect(try names("mystica", .get, "/auth/me") == ["me"])
        #expect(try names("mystica", .post, "/auth/me") == [])
        #expect(try names("mystica", .get, "/auth/me/") == ["me"])
        #expect(try names("mystica", .get, "/v1/auth/me") == [])
    }

    @Test func `a request matches by its query`() throws {
        for (grant, expected) in [
            ("password", ["signIn"]), ("refresh_token", ["refresh"]), ("pkce", ["exchange"]),
            ("id_token", []),
        ] {
            #expect(
                try names(
                    "socoto", .post, "/auth/v1/token", query: [("grant_type", grant)],
                    body: .json([:])) == expected)
        }
    }

    @Test func `a request matches by its body, and its path may be encoded`() throws {
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

    @Test func `a match has the values of the call's variables`() throws {
        let matcher = CallMatcher(
            try Manifests.bundled("mystica"), backend: "embedded", settings: Variables())
        let matches = matcher.matchedCalls(
            for: ObservedRequest(
                method: .post, path: "/auth/login", query: [],
                body: .json(["email": "a@b.example", "password": "x", "z": 1])))
        #expect(matches.first?.variables["email"] == "a@b.example")
        #expect(matches.first?.variables["password"] == "x")
        let bearer = matcher.matchedCalls(
            for: ObservedRequest(method: .get, path: "/auth/me", query: [], bearer: "its-own"))
        #expect(bearer.first?.variables["accessToken"] == "its-own")
    }

    @Test func `a call's own base replaces the backend's`() throws {
        let matcher = CallMatcher(
            try Manifests.bundled("clarity"), backend: "firebase",
            settings: Variables([
                "identityURL": "https://identitytoolkit.googleapis.com",
                "tokenURL": "https://securetoken.googleapis.com", "apiURL": "/",
            ]))
        #expect(
            matcher.customBase(for: .post, path: "/v1/accounts:signUp")
                == "https://identitytoolkit.googleapis.com")
        #expect(
            matcher.customBase(for: .post, path: "/v1/token")
                == "https://securetoken.googleapis.com")
        #expect(matcher.customBase(for: .get, path: "/api/v1/auth/me") == nil)
        #expect(matcher.customBase(for: .get, path: "/anything") == nil)
    }
}
