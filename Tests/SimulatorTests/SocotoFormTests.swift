import Apps
import Support
import Testing
import Web

@testable import Simulator

/// What Socoto's three forms ask before anything is sent, and what they tell
/// of a refusal.
@Suite(.timeLimit(.minutes(10))) struct SocotoFormTests {
    private static let address = "Please enter a valid email address"
    private static let mismatch = "Passwords do not match"
    private static let unreadable =
        "The data couldn’t be read because it isn’t in the correct format."

    /// What is changed in a form, and the one sentence that is told.
    typealias Rule = (change: [String: String], words: String)

    static let broken: [(screen: String, rows: [Rule])] = [
        (
            "signup",
            [
                (["confirm": "another"], mismatch),
                (["terms": ""], "Please accept the Terms of Service"),
                (["email": ""], "Please enter your email"),
                (["fullName": ""], "Please enter your full name"),
                (["password": "", "confirm": ""], "Please enter a password"),
                (["email": "invalid-email"], address),
                (
                    ["password": "1234567", "confirm": "1234567"],
                    "Password must be at least 8 characters"
                ),
                (["confirm": "x", "terms": "", "email": "", "fullName": ""], mismatch),
                (["terms": "", "email": ""], "Please accept the Terms of Service"),
                (["email": "", "fullName": ""], "Please enter your email"),
                (["fullName": "", "password": "", "confirm": ""], "Please enter your full name"),
                (["email": "y", "password": "short", "confirm": "short"], address),
            ]
        ),
        (
            "signin",
            [
                (["email": "", "password": ""], "Please enter your email"),
                (["email": ""], "Please enter your email"),
                (["password": ""], "Please enter your password"),
                (["email": "invalid-email", "password": ""], "Please enter your password"),
                (["email": "invalid-email"], address),
            ]
        ),
        ("forgot", [(["email": ""], "Please enter your email"), (["email": "invalid"], address)]),
    ]

    @Test(arguments: broken)
    func `SOC-03, SOC-04, SOC-05, SOC-06, SOC-13 the first broken rule is told, nothing is sent`(
        screen: String, rows: [Rule]
    ) async throws {
        let phone = try await SupabaseWire.phone()
        for row in rows {
            let result = try await phone.submit(screen, row.change)
            #expect(result == ActionResult(screen: screen, succeeded: false), "\(row)")
            let now = try await phone.now
            #expect(Set(now.fieldErrors.values) == [row.words], "\(row)")
            #expect(now.fieldValues["email"] == row.change["email"] ?? SupabaseWire.email)
            if screen == "signup" {
                #expect(now.fieldValues["terms"] == row.change["terms"] ?? "on")
            }
        }
        #expect(phone.stub.requests.isEmpty)
    }

    @Test(arguments: SupabaseWire.forms.map(\.screen))
    func `SOC-65 an address is judged by the document's pattern`(screen: String) async throws {
        let good = ["a@b.co", "first.last+tag@sub.example.com", "a_b%c-d@example.museum"]
        let bad = ["plain", "a@b", "a@b.c", "@b.co", "a b@c.de", "a@b.c0", "a@b.co extra"]
        let phone = try await SupabaseWire.phone()
        for email in bad {
            #expect(try await !phone.submit(screen, ["email": email]).succeeded, "\(email)")
            #expect(try await phone.now.fieldErrors == ["email": Self.address], "\(email)")
        }
        #expect(phone.stub.requests.isEmpty)
        for form in SupabaseWire.forms { phone.stub.always(form.call, .failure(.timeout)) }
        for email in good { _ = try await phone.submit(screen, ["email": email]) }
        #expect(phone.stub.requests.count == good.count)
    }

    /// A refusal's words in every way GoTrue and the gateway write them.
    private static let refusals: [(words: String, replies: [StubTransport.Reply])] =
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
        ].map { ($0.2, SupabaseWire.refused($0.0, $0.1, $0.2)) } + [
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
    func `SOC-11, SOC-53, SOC-71 what is refused is told, and the form can be sent again`(
        screen: String
    ) async throws {
        let phone = try await SupabaseWire.phone()
        let form = try #require(SupabaseWire.forms.first { $0.screen == screen })
        var refusals = Self.refusals
        // A reset reads nothing of an answer that says yes.
        if screen != "forgot" {
            refusals.append(
                (
                    Self.unreadable,
                    [.json(200, "It works!"), .json(200, #"{"access_token":"x"}"#)]
                ))
        }
        for (words, replies) in refusals {
            for reply in replies {
                phone.stub.script(form.call, reply)
                let result = try await phone.submit(screen)
                #expect(result == ActionResult(screen: screen, succeeded: false), "\(words)")
                let now = try await phone.now
                #expect(now.failure?.message == form.words + words)
                #expect(now.failure?.presentation == .inline)
                for field in ["email", "role", "terms"] {
                    #expect(now.fieldValues[field] == form.filled[field], "\(words)")
                }
            }
        }
        #expect(try await phone.stored.isEmpty)
        phone.stub.script(form.call, SupabaseWire.session(1))
        phone.stub.always(SupabaseWire.profiles, SupabaseWire.profile)
        #expect(try await phone.submit(screen).succeeded)
        #expect(try await phone.now.failure == nil)
    }

    @Test func `SOC-76 without a key every form says so and asks nobody`() async throws {
        let phone = try await SupabaseWire.phone(key: nil)
        for form in SupabaseWire.forms {
            #expect(try await !phone.submit(form.screen).succeeded)
            #expect(
                try await phone.now.failure?.message
                    == form.words + "Supabase package not yet configured")
        }
        #expect(phone.stub.requests.isEmpty)
    }

    @Test(arguments: ["user", "business_owner"])
    func `SOC-02, SOC-62, SOC-73 name and role go with the account`(role: String) async throws {
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
        // Just made, and one that is not there: the address is taken.
        #"{"id":"u1","email":"maya@socoto.app","identities":[{"id":"u1"}]}"#,
        #"{"id":"made-up","email":"maya@socoto.app","role":"","identities":[]}"#,
    ])
    func `SOC-79 who must confirm is told the same as who has an account`(user: String)
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

    @Test func `SOC-20, SOC-64 a reset sends the address and says so`() async throws {
        let phone = try await SupabaseWire.phone()
        phone.stub.script(SupabaseWire.recover, .json(200, "{}"))
        let result = try await phone.submit("forgot")
        #expect(result == ActionResult(screen: "forgot", succeeded: true))
        #expect(
            try await phone.now.notice == "Password reset email sent! Check your inbox.")
        #expect(phone.stub.requests.map(\.text) == [#"{"email":"maya@socoto.app"}"#])
    }
}
