import Apps
import Support
import Testing
import Web

@testable import Simulator

/// What CLARITY Pulse's forms ask before anything is sent, and the words they
/// have for what Firebase says.
@Suite(.timeLimit(.minutes(10))) struct ClarityFormTests {
    /// What is changed in a form, and the one sentence that is told.
    typealias Rule = (change: [String: String], words: String)

    private static let all = "All fields are required."
    private static let address = "Please enter a valid email address."
    private static let accept = "You must accept the Terms of Service and Privacy Policy."
    private static let both = "Please enter both email and password."

    static let broken: [(screen: String, rows: [Rule])] = [
        (
            "login",
            [
                (["email": "", "password": ""], both), (["password": ""], both),
                (["email": ""], both),
            ]
        ),
        (
            "register",
            [
                (["firstName": ""], all), (["lastName": ""], all), (["email": ""], all),
                (["password": "", "confirm": ""], all),
                (["confirm": "Pass5678"], "Passwords do not match."),
                (["email": "invalid-email"], address),
                (same("Pass123"), "Password must be at least 8 characters long."),
                (same("PASS1234"), "Password must contain at least one lowercase letter"),
                (same("pass1234"), "Password must contain at least one uppercase letter"),
                (same("PassWord"), "Password must contain at least one number"),
                (["terms": ""], accept), (["privacy": ""], accept),
                (["firstName": "", "confirm": "x", "email": "y", "terms": ""], all),
                (["confirm": "x", "email": "y", "terms": ""], "Passwords do not match."),
                (["email": "y", "terms": ""], address),
            ]
        ),
        (
            "reset",
            [
                (["email": ""], "Please enter your email address to reset your password."),
                (["email": "invalid-email"], address),
            ]
        ),
    ]

    private static func same(_ password: String) -> [String: String] {
        ["password": password, "confirm": password]
    }

    /// What each form sends, with the call that is answered.
    private static let forms = [
        ("login", FirebaseWire.signIn, ["email", "password"]),
        ("register", FirebaseWire.signUp, Array(FirebaseWire.form.keys)),
        ("reset", FirebaseWire.sendCode, ["email"]),
    ]

    private static func filled(_ screen: String) throws -> (call: String, form: [String: String]) {
        let (_, call, fields) = try #require(forms.first { $0.0 == screen })
        return (call, FirebaseWire.form.filter { fields.contains($0.key) })
    }

    @Test(arguments: broken)
    func `CLA-20, CLA-30, CLA-31, CLA-34, CLA-35, CLA-38 the first broken rule is told`(
        screen: String, rows: [Rule]
    ) async throws {
        let phone = try await FirebaseWire.phone()
        for row in rows {
            let typed = try Self.filled(screen).form.merging(row.change) { $1 }
            let result = try await phone.act(screen, "submit", typed)
            #expect(result == ActionResult(screen: screen, succeeded: false), "\(row)")
            let now = try await phone.now
            #expect(Set(now.fieldErrors.values) == [row.words], "\(row)")
            #expect(now.fieldValues["email"] == typed["email"])
            #expect(now.fieldValues["firstName"] == typed["firstName"])
        }
        #expect(phone.stub.requests.isEmpty)
    }

    private static let wrong = "Invalid email or password"
    private static let taken =
        "This email address is already registered. Please try signing in instead."
    private static let weak =
        "Please choose a stronger password with at least 8 characters, "
        + "including uppercase, lowercase, and numbers."
    private static let many = "Too many attempts. Please try again later."
    private static let configuration =
        "App configuration error. Please restart the app or contact support."
    private static let unreached =
        "Unable to connect to the server. Please check your internet connection and try again."

    typealias Row = (reply: StubTransport.Reply, words: String)

    static let everywhere: [Row] =
        [
            ("TOO_MANY_ATTEMPTS_TRY_LATER : Try again later.", many),
            ("QUOTA_EXCEEDED : Exceeded quota", many), ("INVALID_EMAIL", address),
            ("USER_DISABLED", "This account has been disabled. Please contact support."),
            ("OPERATION_NOT_ALLOWED", configuration), ("PASSWORD_LOGIN_DISABLED", configuration),
            ("CONFIGURATION_NOT_FOUND", configuration),
            ("API key not valid. Please pass a valid API key.", configuration),
        ].map { (FirebaseWire.refused($0.0), $0.1) } + [
            (FirebaseWire.refused("The request is missing a valid API key.", 403), configuration),
            (.json(503, "Service Unavailable"), "Server error 503"),
            (.json(200, "It works!"), "Unable to read the server's answer. Please try again."),
            (.failure(.connection), unreached), (.failure(.nameLookup), unreached),
            (.failure(.timeout), unreached),
        ]

    static let refusals: [(screen: String, rows: [Row])] = [
        (
            "login",
            everywhere
                + ["INVALID_LOGIN_CREDENTIALS", "EMAIL_NOT_FOUND", "INVALID_PASSWORD"].map {
                    (FirebaseWire.refused($0), wrong)
                }
        ),
        (
            "register",
            everywhere + [
                (FirebaseWire.refused("EMAIL_EXISTS"), taken),
                (
                    FirebaseWire.refused(
                        "WEAK_PASSWORD : Password should be at least 6 characters"), weak
                ),
                (FirebaseWire.refused("PASSWORD_DOES_NOT_MEET_REQUIREMENTS"), weak),
            ]
        ), ("reset", everywhere + [(FirebaseWire.refused("RESET_PASSWORD_EXCEED_LIMIT"), many)]),
    ]

    @Test(arguments: refusals)
    func `CLA-03, CLA-24, CLA-37, CLA-55, CLA-60, CLA-62 what Firebase says has its words`(
        screen: String, rows: [Row]
    ) async throws {
        let phone = try await FirebaseWire.phone()
        let (call, form) = try Self.filled(screen)
        for row in rows {
            phone.stub.script(call, row.reply)
            let result = try await phone.act(screen, "submit", form)
            #expect(result == ActionResult(screen: screen, succeeded: false), "\(row)")
            let now = try await phone.now
            #expect(now.failure?.message == row.words, "\(row)")
            #expect(now.failure?.presentation == .inline)
            #expect(now.fieldValues["email"] == form["email"])
        }
        #expect(phone.stub.requests.count == rows.count)
        #expect(try await phone.stored.isEmpty)
        // The form can be used again.
        phone.stub.script(call, FirebaseWire.session(1))
        phone.stub.always(FirebaseWire.lookup, FirebaseWire.user(verified: true))
        phone.stub.always(FirebaseWire.profile, .json(201, "{}"))
        phone.stub.always(FirebaseWire.sendCode, .json(200, "{}"))
        #expect(try await phone.act(screen, "submit", form).succeeded)
        #expect(try await phone.now.failure == nil)
    }

    // MARK: Verifying

    @Test func `CLA-52 the check says what it heard`() async throws {
        let phone = try await FirebaseWire.signedIn(verified: false)
        phone.stub.script(
            FirebaseWire.lookup, FirebaseWire.user(verified: false),
            FirebaseWire.user(verified: true))
        #expect(
            try await phone.act("verify", "verified")
                == ActionResult(screen: "verify", succeeded: true))
        #expect(try await phone.now.notice == "Your email isn't verified yet.")
        #expect(
            try await phone.act("verify", "verified")
                == ActionResult(screen: "dashboard", succeeded: true))
    }

    @Test func `CLA-53, CLA-62 another mail is sent and said, and too many are told`() async throws
    {
        let phone = try await FirebaseWire.signedIn(verified: false)
        phone.stub.script(
            FirebaseWire.sendCode, .json(200, "{}"),
            FirebaseWire.refused("TOO_MANY_ATTEMPTS_TRY_LATER"))
        #expect(try await phone.act("verify", "resend").succeeded)
        #expect(try await phone.open("verify").shown?.toast == "Verification email sent")
        #expect(try await !phone.act("verify", "resend").succeeded)
        let shown = try #require(try await phone.open("verify").shown)
        #expect(shown.failure?.message == Self.many)
        #expect(shown.toast == nil)
    }

    @Test func `the unverified can sign out`() async throws {
        let phone = try await FirebaseWire.signedIn(verified: false)
        let result = try await phone.act("verify", "signOut")
        #expect(result == ActionResult(screen: "login", succeeded: true))
        #expect(try await phone.stored.isEmpty)
    }
}
