import Apps
import Support
import Testing
import Web

@testable import Simulator

/// Socoto's three forms: the rules checked before a request, and the messages for failures.
@Suite(.timeLimit(.minutes(10))) struct SocotoFormTests {
    private static let invalidEmail = "Please enter a valid email address"
    private static let mismatch = "Passwords do not match"
    private static let unreadable =
        "The data couldn’t be read because it isn’t in the correct format."

    /// A change to a valid form, and the only message it causes.
    typealias Violation = (change: [String: String], message: String)

    static let violations: [(screen: String, rows: [Violation])] = [
        (
            "signup",
            [
                (["confirm": "another"], mismatch),
                (["terms": ""], "Please accept the Terms of Service"),
                (["email": ""], "Please enter your email"),
                (["fullName": ""], "Please enter your full name"),
                (["password": "", "confirm": ""], "Please enter a password"),
                (["email": "invalid-email"], invalidEmail),
                (
                    ["password": "1234567", "confirm": "1234567"],
                    "Password must be at least 8 characters"
                ),
                (["confirm": "x", "terms": "", "email": "", "fullName": ""], mismatch),
                (["terms": "", "email": ""], "Please accept the Terms of Service"),
                (["email": "", "fullName": ""], "Please enter your email"),
                (["fullName": "", "password": "", "confirm": ""], "Please enter your full name"),
                (["email": "y", "password": "short", "confirm": "short"], invalidEmail),
            ]
        ),
        (
            "signin",
            [
                (["email": "", "password": ""], "Please enter your email"),
                (["email": ""], "Please enter your email"),
                (["password": ""], "Please enter your password"),
                (["email": "invalid-email", "password": ""], "Please enter your password"),
                (["email": "invalid-email"], invalidEmail),
            ]
        ),
        (
            "forgot",
            [(["email": ""], "Please enter your email"), (["email": "invalid"], invalidEmail)]
        ),
    ]

    @Test(arguments: violations)
    func `SOC-03, SOC-04, SOC-05, SOC-06, SOC-13 the first violated rule is shown, nothing sent`(
        screen: String, rows: [Violation]
    ) async throws {
        let phone = try await SupabaseWire.phone()
        for row in rows {
            let result = try await phone.submit(screen, row.change)
            #expect(result == ActionResult(screen: screen, succeeded: false), "\(row)")
            let now = try await phone.now
            #expect(Set(now.fieldErrors.values) == [row.message], "\(row)")
            #expect(now.fieldValues["email"] == row.change["email"] ?? SupabaseWire.email)
            if screen == "signup" {
                #expect(now.fieldValues["terms"] == row.change["terms"] ?? "on")
            }
        }
        #expect(phone.stub.requests.isEmpty)
    }

    @Test(arguments: SupabaseWire.forms.map(\.screen))
    func `SOC-65 an address is checked against the specified pattern`(screen: String) async throws {
        let valid = ["a@b.co", "first.last+tag@sub.example.com", "a_b%c-d@example.museum"]
        let invalid = ["plain", "a@b", "a@b.c", "@b.co", "a b@c.de", "a@b.c0", "a@b.co extra"]
        let phone = try await SupabaseWire.phone()
        for email in invalid {
            #expect(try await !phone.submit(screen, ["email": email]).succeeded, "\(email)")
            #expect(try await phone.now.fieldErrors == ["email": Self.invalidEmail], "\(email)")
        }
        #expect(phone.stub.requests.isEmpty)
        for form in SupabaseWire.forms { phone.stub.always(form.call, .failure(.timeout)) }
        for email in valid { _ = try await phone.submit(screen, ["email": email]) }
        #expect(phone.stub.requests.count == valid.count)
    }

    /// Error messages in every format of GoTrue and of the gateway, and of failed requests.
    private static let failures: [(message: String, replies: [StubTransport.Reply])] =
        [
            (400, "invalid_credentials", "Invalid login credentials"),
            (400, "email_not_confirmed", "Email not confirmed"),
            (400, "user_banned", "User is banned"),
            (400, "validation_failed", "Unable to validate email address: invalid format"),
            (422, "user_already_exists", "User already registered"),
            (422, "weak_password", "Password should be at least 10 characters."),
            (422, "signup_disabled", "Signups not allowed for this instance"),
            (429, "over_request_rate_limit", "Request rate limit reached"),
            (429, "over_email_send_rate_limit", "email rate limit exceeded"),
            (
                429, "over_email_send_rate_limit",
                "For security purposes, you can only request this after 51 seconds."
            ),
        ].map { ($0.2, SupabaseWire.errors($0.0, $0.1, $0.2)) } + [
            (
                "Invalid login credentials",
                [
                    .json(
                        400,
                        #"{"error":"invalid_grant","#
                            + #""error_description":"Invalid login credentials"}"#)
                ]
            ), ("invalid_grant", [.json(400, #"{"error":"invalid_grant"}"#)]),
            ("Invalid API key", [.json(401, #"{"message":"Invalid API key"}"#)]),
            ("Server error 503", [.json(503, "Service Unavailable")]),
            (
                "The Internet connection appears to be offline.",
                [.failure(.connection), .failure(.nameLookup)]
            ), ("The request timed out.", [.failure(.timeout)]),
        ]

    @Test(arguments: SupabaseWire.forms.map(\.screen))
    func `SOC-11, SOC-53, SOC-71 a failure is shown and the form can be sent again`(
        screen: String
    ) async throws {
        let phone = try await SupabaseWire.phone()
        let form = try #require(SupabaseWire.forms.first { $0.screen == screen })
        var failures = Self.failures
        // A reset ignores the body of a successful response.
        if screen != "forgot" {
            failures.append(
                (
                    Self.unreadable,
                    [.json(200, "It works!"), .json(200, #"{"access_token":"x"}"#)]
                ))
        }
        for (message, replies) in failures {
            for reply in replies {
                phone.stub.script(form.call, reply)
                let result = try await phone.submit(screen)
                #expect(result == ActionResult(screen: screen, succeeded: false), "\(message)")
                let now = try await phone.now
                #expect(now.failure?.message == form.messagePrefix + message)
                #expect(now.failure?.presentation == .inline)
                for field in ["email", "role", "terms"] {
                    #expect(now.fieldValues[field] == form.values[field], "\(message)")
                }
            }
        }
        #expect(try await phone.stored.isEmpty)
        phone.stub.script(form.call, SupabaseWire.session(1))
        phone.stub.always(SupabaseWire.profiles, SupabaseWire.profile)
        #expect(try await phone.submit(screen).succeeded)
        #expect(try await phone.now.failure == nil)
    }

    @Test func `SOC-76 without an API key every form shows an error and sends nothing`()
        async throws
    {
        let phone = try await SupabaseWire.phone(key: nil)
        for form in SupabaseWire.forms {
            #expect(try await !phone.submit(form.screen).succeeded)
            #expect(
                try await phone.now.failure?.message
                    == form.messagePrefix + "Supabase package not yet configured")
        }
        #expect(phone.stub.requests.isEmpty)
    }

    @Test(arguments: ["user", "business_owner"])
    func `SOC-02, SOC-62, SOC-73 a sign-up sends the name and the role`(role: String) async throws {
        let phone = try await SupabaseWire.phone()
        phone.stub.script(SupabaseWire.signUp, SupabaseWire.session(1))
        #expect(try await phone.submit("signup", ["role": role]).screen == "profile")
        let request = try #require(phone.stub.sent(SupabaseWire.signUp).first)
        #expect(
            request.text == #"{"email":"maya@socoto.app","password":"longenough","#
                + #""data":{"full_name":"Maya Okafor","role":"\#(role)","#
                + #""user_type":"\#(role)"}}"#)
        #expect(request.headers["Content-Type"]?.hasPrefix("application/json") == true)
    }

    @Test(arguments: [
        // A new account, and a made-up one because the address is taken.
        #"{"id":"u1","email":"maya@socoto.app","identities":[{"id":"u1"}]}"#,
        #"{"id":"made-up","email":"maya@socoto.app","role":"","identities":[]}"#,
    ])
    func `SOC-79 a sign-up shows the same notice for a new and a taken address`(user: String)
        async throws
    {
        let phone = try await SupabaseWire.phone()
        phone.stub.script(SupabaseWire.signUp, .json(200, user))
        let result = try await phone.submit("signup")
        #expect(result == ActionResult(screen: "signup", succeeded: true))
        #expect(
            try await phone.now.notice
                == "Account created! Please check your email to verify your account.")
        #expect(phone.stub.requests.count == 1)
        #expect(try await phone.stored.isEmpty)
        // The next screen does not repeat it.
        #expect(try await phone.open("signin").shown?.notice == nil)
    }

    @Test func `SOC-20, SOC-64 a reset sends the address and shows a notice`() async throws {
        let phone = try await SupabaseWire.phone()
        phone.stub.script(SupabaseWire.recover, .json(200, "{}"))
        let result = try await phone.submit("forgot")
        #expect(result == ActionResult(screen: "forgot", succeeded: true))
        #expect(
            try await phone.now.notice == "Password reset email sent! Check your inbox.")
        #expect(phone.stub.requests.map(\.text) == [#"{"email":"maya@socoto.app"}"#])
    }
}
