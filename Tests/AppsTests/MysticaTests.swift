@testable import Apps
import Testing
import Web

/// Requirements of the documents on Mystica's manifest.
@Suite(.timeLimit(.minutes(10))) struct MysticaTests {
    let app: App

    init() throws { app = try Manifests.bundled("mystica") }

    private func read(_ call: String, _ status: Int, _ body: String) throws -> Call.Interpretation {
        try #require(app.calls[call]).interpret(
            UpstreamResponse(status: status, body: Array(body.utf8)))
    }

    @Test func `the storage keys are those of the phone app, all in the keychain`() {
        #expect(
            app.storage.map(\.key) == [
                "mystica_access_token", "mystica_refresh_token", "mystica_user_id",
            ])
        #expect(app.storage.allSatisfy { $0.area == .keychain })
    }

    @Test(arguments: [
        (
            200,
            #"{"user":{"id":"u1","email":"a@b.c"},"session":{"access_token":"A","refresh_token":"R"}}"#
        ),
        (
            201,
            #"{"success":true,"data":{"user":{"id":"u1"},"session":{"access_token":"A","refresh_token":"R"},"message":"m"},"timestamp":"t"}"#
        ),
    ]) func `register reads the document's shape and the Express server's`(
        status: Int, body: String
    ) throws {
        #expect(
            try read("register", status, body)
                == .success(captured: ["accessToken": "A", "refreshToken": "R", "userID": "u1"]))
    }

    @Test func `a null session after register is a success without tokens`() throws {
        #expect(
            try read(
                "register", 201, #"{"success":true,"data":{"user":{"id":"u1"},"session":null}}"#)
                == .success(captured: ["userID": "u1"]))
        #expect(app.screen("register")?.submitAction?.destination == "verify")
    }

    @Test(arguments: [
        (
            400, #"{"error":{"code":"X","message":"m"}}"#, "Invalid email or password too weak",
            nil as String?
        ),
        (
            422, #"{"error":{"code":"EMAIL_EXISTS","message":"Conflict: …"}}"#,
            "An account with this email already exists", nil
        ), (422, "", "An account with this email already exists", nil),
        (
            422, #"{"error":{"code":"WEAK_PASSWORD"}}"#, "Password must be at least 8 characters",
            "password"
        ),
    ]) func `a refused registration has the message of its status and code`(
        status: Int, body: String, message: String, field: String?
    ) throws {
        guard case .failure(let failure, _, _) = try read("register", status, body) else {
            Issue.record("no failure")
            return
        }
        #expect(failure?.message == message)
        #expect(failure?.field == field)
    }

    @Test(arguments: [400, 401]) func `a wrong password has the same message for 400 and 401`(
        status: Int
    ) throws {
        guard
            case .failure(let failure, let message, _) = try read(
                "login", status,
                #"{"error":{"code":"INVALID_CREDENTIALS","message":"Validation failed: Invalid email or password"}}"#
            )
        else {
            Issue.record("no failure")
            return
        }
        #expect(failure?.destination == nil)
        #expect(
            app.failureMessage(
                for: failure, backendMessage: message, status: status, action: nil,
                variables: Variables())
                == "Invalid email or password")
    }

    @Test(arguments: ["login", "me"]) func `an unverified email leads to verify`(call: String)
        throws
    {
        guard
            case .failure(let failure, _, _) = try read(
                call, 401, #"{"error":{"code":"email_not_verified"}}"#)
        else {
            Issue.record("no failure")
            return
        }
        #expect(failure?.kind == "unverified")
        #expect(failure?.destination == "verify")
    }

    @Test func `an expired token matches no failure row, so it can be refreshed`() throws {
        #expect(
            try read(
                "me", 401, #"{"error":{"code":"token_expired","message":"Token has expired."}}"#)
                == .failure(nil, message: "Token has expired.", status: 401))
        #expect(app.session.refreshCall == "refresh")
        #expect(app.session.expired?.message == "Session expired. Please login again.")
    }

    @Test(arguments: [
        #"{"access_token":"A","refresh_token":"R"}"#,
        #"{"success":true,"data":{"session":{"access_token":"A","refresh_token":"R"}}}"#,
    ]) func `refresh reads flat and nested responses`(body: String) throws {
        #expect(
            try read("refresh", 200, body)
                == .success(captured: ["accessToken": "A", "refreshToken": "R"]))
    }

    @Test(arguments: [
        #"{"id":"u1","level":3}"#, #"{"success":true,"data":{"user":{"id":"u1","level":3}}}"#,
        #"{"user":{"id":"u1","level":3}}"#,
    ]) func `me reads flat and nested responses`(body: String) throws {
        #expect(
            try read("me", 200, body) == .success(captured: ["user": ["id": "u1", "level": 3]]))
    }

    @Test func `a success without tokens is an invalid response`() throws {
        for body in ["{}", "<html>", ""] {
            guard case .invalid = try read("login", 200, body) else {
                Issue.record("\(body) was accepted")
                continue
            }
        }
        #expect(
            app.network.messages.invalidResponse
                == "Invalid response from server. Please try again.")
    }

    @Test func `the email is trimmed and the password is not`() throws {
        let login = try #require(app.screen("login"))
        #expect(
            login.variables(["email": " a@b.c ", "password": " p "]) == [
                "email": "a@b.c", "password": " p ",
            ])
    }

    @Test(arguments: [
        ("register", "a@b", "12345678", ["email": "Please enter a valid email address"]),
        ("register", "", "12345678", ["email": "Please enter a valid email address"]),
        ("register", "a@b.c", "1234567", ["password": "Password must be at least 8 characters"]),
        ("register", "a@b.c", "12345678", [:]), ("login", " a@b.c ", "abc", [:]),
        (
            "login", "a b@c.d", "",
            ["email": "Please enter a valid email address", "password": "Password is required"]
        ),
    ]) func `the field rules are those of the document`(
        screen: String, email: String, password: String, errors: [String: String]
    ) throws {
        let screen = try #require(app.screen(screen))
        let submit = try #require(screen.submitAction)
        #expect(screen.check(["email": email, "password": password], for: submit) == errors)
    }

    @Test func `a failed login clears the password, a failed registration nothing`() {
        #expect(app.screen("login")?.submitAction?.onFailure.fieldsToClear == ["password"])
        #expect(app.screen("register")?.submitAction?.onFailure.fieldsToClear == [])
    }

    @Test func `resend shows the same message on success and on failure`() {
        let resend = app.screen("verify")?.action("resend")
        #expect(resend?.ignoresCallFailures == true)
        #expect(resend?.toast == "Verification email sent")
        #expect(app.calls["resend"]?.isBestEffort == true)
    }

    @Test func `offline at launch keeps the tokens`() {
        #expect(app.launch[0].onFailure["offline"] == "stay")
        #expect(app.launch[0].onFailure["unverified"] == "verify")
        #expect(app.launch[1].destination == "login")
    }

    @Test func `logout asks, clears the keychain and leaves even if the call fails`() throws {
        let logout = try #require(app.screen("settings")?.action("logout"))
        #expect(logout.confirmation?.text == "Are you sure you want to logout?")
        #expect(logout.areasToClear == [.keychain])
        #expect(logout.destination == "login")
        #expect(app.calls["logout"]?.isBestEffort == true)
    }

    @Test func `verify shows the email, or a text without it`() throws {
        let verify = try #require(app.screen("verify"))
        #expect(
            verify.textSegments(Variables(["email": "a@b.c"])) == [
                .init(text: "We sent a verification link to ", isVariable: false),
                .init(text: "a@b.c", isVariable: true),
                .init(text: ". Please check your inbox.", isVariable: false),
            ])
        #expect(
            verify.textSegments(Variables()).map(\.text) == [
                "Please verify your email. Please check your inbox."
            ])
    }

    @Test func `the edges include the document's graph`() {
        let edges = Set(app.edges.map { "\($0.from) \($0.to)" })
        #expect(
            edges.isSuperset(of: [
                "splash login", "splash map", "splash verify",
                "login register", "register login", "register verify",
                "verify login", "login map", "login verify", "map settings",
                "settings map", "settings login", "map login",
            ]))
    }
}

/// Requirements of the document on the manifest of its device variant.
@Suite(.timeLimit(.minutes(10))) struct MysticaInstantTests {
    let app: App

    init() throws { app = try Manifests.bundled("mystica-instant") }

    @Test func `the first launch registers the device's UUID`() throws {
        let row = try #require(app.launch.last)
        #expect(row.calls == ["registerDevice"])
        let request = try #require(app.calls["registerDevice"]).makeRequest(
            base: "http://127.0.0.1:7071/main/mystica/api/v1",
            variables: Variables(["device.uuid": "U"]), timeout: .seconds(1))
        #expect(request.url == "http://127.0.0.1:7071/main/mystica/api/v1/auth/register-device")
        #expect(String(decoding: request.body, as: UTF8.self) == #"{"device_id":"U"}"#)
    }

    @Test func `a null refresh token is accepted`() throws {
        let interpretation = try #require(app.calls["registerDevice"]).interpret(
            UpstreamResponse(
                status: 201,
                body: Array(
                    #"{"success":true,"data":{"user":{"id":"u"},"session":{"access_token":"A","refresh_token":null}}}"#
                        .utf8)))
        #expect(interpretation == .success(captured: ["accessToken": "A", "user": ["id": "u"]]))
        #expect(app.session.refreshCall == nil)
    }

    @Test func `an expired session leads back to the launch screen`() {
        #expect(app.session.expired?.areasToClear == [.keychain])
        #expect(app.session.expired?.destination == "splash")
    }

    @Test func `the device id survives logout`() throws {
        let logout = try #require(app.screen("settings")?.action("logout"))
        #expect(logout.areasToClear == [.keychain])
        #expect(app.storage.first { $0.area == .defaults }?.key == "com.mystica.persistentDeviceId")
    }
}
