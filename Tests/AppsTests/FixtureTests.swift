import Apps
import Testing
import Web

/// Requirements of the other four apps' documents on their manifests.
@Suite(.timeLimit(.minutes(10))) struct FixtureTests {
    @Test(arguments: ["bob", "wall", "socoto", "clarity"])
    func `the manifest loads with its id and screens`(
        id: String
    ) throws {
        let app = try Manifests.bundled(id)
        #expect(app.id == id)
        #expect(!app.screens.isEmpty)
    }

    private func response(_ status: Int, _ body: String) -> UpstreamResponse {
        UpstreamResponse(status: status, body: Array(body.utf8))
    }

    // MARK: Bob

    @Test func `Bob shows field errors after a typing pause and not for empty fields`() throws {
        let login = try #require(try Manifests.bundled("bob").screen("login"))
        let submit = try #require(login.submitAction)
        #expect(login.validation == .debounce(500))
        #expect(login.checkWhileTyping(["email": "", "password": ""]).isEmpty)
        #expect(login.check([:], for: submit).isEmpty)
    }

    @Test(arguments: [
        ("email", ["test", "invalid-email"], ["test@example.com", "bob@example.co"]),
        ("password", ["123", "12345"], ["password123", "123456"]),
    ]) func `Bob validates fields while typing`(name: String, invalid: [String], valid: [String])
        throws
    {
        let login = try #require(try Manifests.bundled("bob").screen("login"))
        let messages = [
            "email": "Please enter a valid email address",
            "password": "Password must be at least 6 characters",
        ]
        for value in invalid {
            #expect(login.checkWhileTyping([name: value]) == [name: messages[name]])
        }
        for value in valid { #expect(login.checkWhileTyping([name: value]).isEmpty) }
    }

    @Test(arguments: [
        ("test@example.com", "secret", true), ("test@example.com", "", false),
        ("", "secret", false), ("", "", false), ("test", "secret", false),
        ("test@example.com", "123", false),
    ]) func `Bob's button is enabled when both fields are valid`(
        email: String, password: String, isEnabled: Bool
    )
        throws
    {
        let login = try #require(try Manifests.bundled("bob").screen("login"))
        let submit = try #require(login.submitAction)
        #expect(login.isEnabled(submit, ["email": email, "password": password]) == isEnabled)
    }

    @Test(arguments: [("", 0), ("Zq", 1), ("Zq7xGehe", 2), ("Zq7xGeheim-strong", 3)])
    func `Bob rates the strength of a new password`(password: String, level: Int) throws {
        let register = try #require(try Manifests.bundled("bob").screen("register"))
        let field = try #require(register.fields.first { $0.name == "password" })
        #expect(field.strengthLabels == ["Weak password", "Medium password", "Strong password"])
        #expect(field.strengthLevel(of: password) == level)
    }

    @Test func `Bob's production backend has its own refresh request`() throws {
        let bob = try Manifests.bundled("bob")
        let variables = Variables(["refreshToken": "R"])
        func body(_ backend: String) throws -> String {
            let call = try #require(bob.call("refresh", backend: backend))
            return String(
                decoding: try call.makeRequest(
                    base: "http://localhost", variables: variables, timeout: .seconds(1)
                ).body, as: UTF8.self)
        }
        #expect(try body("production") == #"{"refresh_token":"R"}"#)
        #expect(try body("nest") == #"{"refreshToken":"R"}"#)
    }

    @Test func `CLA-41 every protected call of Clarity carries the access token`() throws {
        let clarity = try Manifests.bundled("clarity")
        // What a signed-out user calls, by the sheet's table of endpoints.
        let open = [
            "createUser", "signIn", "reset", "setPassword", "confirmCode", "resendCode", "refresh",
        ]
        for (name, call) in clarity.allCalls where !open.contains(name) {
            #expect(
                call.request.bearerName == "accessToken" || call.request.carries("accessToken"),
                "\(name)")
            let isBackend = call.request.path.hasPrefix("/api/v1/")
            #expect(!isBackend || call.request.bearerName == "accessToken", "\(name)")
        }
    }

    @Test func `Bob's skip and biometric actions depend on the device`() throws {
        let login = try #require(try Manifests.bundled("bob").screen("login"))
        let skip = try #require(login.action("skip"))
        #expect(skip.deviceRequirements == ["build": "debug"])
        #expect(skip.bypassesSession)
        #expect(skip.calls.isEmpty)
        let sensor = try #require(login.action("biometric"))
        #expect(sensor.deviceRequirements == ["biometrics": "enrolled"])
        #expect(sensor.biometricCheck?.reason == "Sign in to Bob the Builder")
    }

    // MARK: Wall

    @Test func `Wall treats a 200 with success false as a failure`() throws {
        let wall = try Manifests.bundled("wall")
        let login = try #require(wall.calls["login"])
        #expect(
            login.interpret(response(200, #"{"success":false,"message":"Wrong code"}"#))
                == .failure(login.failures[0], message: "Wrong code", status: 200))
        #expect(login.failures[0].message == nil)
        #expect(
            login.interpret(
                response(200, #"{"success":true,"user":{"id":"u","email":"e"},"token":"T"}"#))
                == .success(captured: ["accessToken": "T", "userID": "u", "email": "e"]))
    }

    @Test func `Wall's two actions check their own fields`() throws {
        let login = try #require(try Manifests.bundled("wall").screen("login"))
        let submit = try #require(login.submitAction)
        let getCode = try #require(login.action("getCode"))
        let values = ["email": "test@example.com"]
        #expect(login.check(values, for: getCode).isEmpty)
        #expect(login.isEnabled(getCode, values))
        #expect(!login.isEnabled(submit, values))
        #expect(login.check(["email": "x"], for: getCode).keys.sorted() == ["email"])
    }

    @Test func `Wall's Java dialect remembers the purpose of a code`() throws {
        let wall = try Manifests.bundled("wall")
        #expect(
            wall.memory.contains {
                $0.name == "codePurpose" && $0.perField == "email" && $0.defaultValue == "login"
            })
        let dialect = "campusEmbedded"
        let register = try #require(wall.call("register", backend: dialect))
        #expect(register.valuesToRemember == ["codePurpose": "register", "sentTo": "{email}"])
        let login = try #require(wall.call("login", backend: dialect))
        let request = try login.makeRequest(
            base: "http://localhost:8080/api/v1",
            variables: Variables(["codePurpose": "register", "email": "e@x.edu", "code": "012345"]),
            timeout: .seconds(1))
        #expect(request.url == "http://localhost:8080/api/v1/auth/register/email")
        #expect(
            String(decoding: request.body, as: UTF8.self) == #"{"email":"e@x.edu","code":"012345"}"#
        )
    }

    @Test func `Wall stores a constant beside captured values`() throws {
        let wall = try Manifests.bundled("wall")
        #expect(wall.storageKey(holding: "isAuthenticated")?.value == "true")
        #expect(wall.storageKey(holding: "userID")?.key == "userId")
        #expect(wall.launch[1].areasToClear == [.keychain, .defaults])
    }

    // MARK: Socoto

    @Test func `Socoto shows one error at a time, in its own order`() throws {
        let signup = try #require(try Manifests.bundled("socoto").screen("signup"))
        let submit = try #require(signup.submitAction)
        #expect(signup.errorPlacement == .form)
        var values = ["role": "user", "password": "1234567", "confirm": "123"]
        var errors: [String] = []
        for (name, value) in [
            ("confirm", "1234567"), ("terms", "on"), ("email", "x"),
            ("fullName", "N"), ("email", "a@b.co"), ("password", "12345678"),
            ("confirm", "12345678"),
        ] {
            errors += signup.check(values, for: submit).values
            values[name] = value
        }
        #expect(signup.check(values, for: submit).isEmpty)
        #expect(
            errors == [
                "Passwords do not match", "Please accept the Terms of Service",
                "Please enter your email", "Please enter your full name",
                "Please enter a valid email address", "Password must be at least 8 characters",
                "Passwords do not match",
            ])
    }

    @Test func `Socoto requests the profile by user id with the API key`() throws {
        let socoto = try Manifests.bundled("socoto")
        let request = try #require(socoto.calls["profile"]).makeRequest(
            base: "https://p.supabase.co",
            variables: Variables(["apiKey": "K", "userID": "u&1", "accessToken": "T"]),
            timeout: .seconds(1))
        #expect(request.url == "https://p.supabase.co/rest/v1/profiles?select=%2A&id=eq.u%261")
        #expect(request.headers["apikey"] == "K")
        #expect(request.headers["Authorization"] == "Bearer T")
        #expect(request.headers.all("Accept") == ["application/vnd.pgrst.object+json"])
    }

    @Test func `Socoto shows a notice while email confirmation is on`() throws {
        let socoto = try Manifests.bundled("socoto")
        let submit = try #require(socoto.screen("signup")?.submitAction)
        let row = try #require(submit.navigationRules.first)
        #expect(row.matches(["userID": "u"]))
        #expect(!row.matches(["userID": "u", "accessToken": "T"]))
        #expect(row.notice?.hasPrefix("Account created!") == true)
    }

    @Test func `Socoto prefixes every failure message of an action`() throws {
        let socoto = try Manifests.bundled("socoto")
        let signIn = try #require(socoto.screen("signin")?.submitAction)
        #expect(
            socoto.failureMessage(
                for: nil, backendMessage: "Invalid login credentials", status: 400, action: signIn,
                variables: Variables()) == "Sign in failed: Invalid login credentials")
        #expect(
            socoto.failureText(
                socoto.network.messages.offline, action: signIn, variables: Variables())
                == "Sign in failed: The Internet connection appears to be offline.")
    }

    // MARK: Clarity

    @Test func `Clarity's three registration calls resume where they stopped`() throws {
        let clarity = try Manifests.bundled("clarity")
        let submit = try #require(clarity.screen("register")?.submitAction)
        #expect(submit.calls == ["createUser", "registerProfile", "sendVerification"])
        #expect(
            submit.resumeRules.mapValues(\.unchangedFields) == [
                "createUser": ["email"],
                "registerProfile": ["email", "password", "firstName", "lastName"],
            ])
        #expect(submit.resumeRules["createUser"]?.callsOnChange == ["password": "changePassword"])
        #expect(submit.resumeRules["registerProfile"]?.callsOnChange == [:])
    }

    @Test func `Clarity's error code matches by its prefix`() throws {
        let clarity = try Manifests.bundled("clarity")
        let create = try #require(clarity.calls["createUser"])
        guard
            case .failure(let failure, _, _) = create.interpret(
                response(
                    400,
                    #"{"error":{"code":400,"message":"WEAK_PASSWORD : Password should be at least 6 characters"}}"#
                ))
        else {
            Issue.record("no failure")
            return
        }
        #expect(failure?.message?.hasPrefix("Please choose a stronger") == true)
    }

    @Test func `Clarity refreshes with a form body at another base URL`() throws {
        let clarity = try Manifests.bundled("clarity")
        let refresh = try #require(clarity.call("refresh", backend: "firebase"))
        let request = try refresh.makeRequest(
            base: "https://identitytoolkit.googleapis.com",
            variables: Variables([
                "apiKey": "K", "refreshToken": "R&=+ ü",
                "tokenURL": "https://securetoken.googleapis.com/",
            ]), timeout: .seconds(1))
        #expect(request.url == "https://securetoken.googleapis.com/v1/token?key=K")
        #expect(request.headers["Content-Type"] == "application/x-www-form-urlencoded")
        #expect(
            String(decoding: request.body, as: UTF8.self)
                == "grant_type=refresh_token&refresh_token=R%26%3D%2B+%C3%BC")
    }

    @Test func `Clarity's toggles are sent as booleans`() throws {
        let clarity = try Manifests.bundled("clarity")
        let register = try #require(clarity.screen("register"))
        var variables = register.variables(["terms": "on", "email": "e"])
        variables["accessToken"] = "T"
        let request = try #require(clarity.calls["registerProfile"]).makeRequest(
            base: "http://localhost", variables: Variables(variables), timeout: .seconds(1))
        let body = try JSONReader.read(request.body)
        #expect(body["terms_accepted"] == true)
        #expect(body["privacy_policy_accepted"] == false)
    }

    @Test func `Clarity's check leads to the dashboard only when verified`() throws {
        let clarity = try Manifests.bundled("clarity")
        let check = try #require(clarity.screen("verify")?.action("verified"))
        func destination(_ verified: JSON, isIntroduced: Bool = true) -> String? {
            var values = ["emailVerified": verified]
            if isIntroduced { values["hasCompletedOnboarding"] = "true" }
            return check.navigationRules.first { $0.matches(values) }?.destination
        }
        #expect(destination(true) == "dashboard")
        #expect(destination(true, isIntroduced: false) == "track")
        #expect(destination(false) == "verify")
    }
}
