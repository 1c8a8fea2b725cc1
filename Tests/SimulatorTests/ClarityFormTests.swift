import Apps
import Support
import Testing
import Web

@testable import Simulator

/// CLARITY Pulse's forms: the rules checked before a request, and the messages for Firebase's
/// errors.
@Suite(.timeLimit(.minutes(10))) struct ClarityFormTests {
    /// A change to a valid form, and the only message it causes.
    typealias Violation = (change: [String: String], message: String)

    private static let fieldsRequired = "All fields are required."
    private static let invalidEmail = "Please enter a valid email address."
    private static let termsRequired = "You must accept the Terms of Service and Privacy Policy."
    private static let credentialsRequired = "Please enter both email and password."

    static let violations: [(screen: String, rows: [Violation])] = [
        (
            "login",
            [
                (["email": "", "password": ""], credentialsRequired),
                (["password": ""], credentialsRequired),
                (["email": ""], credentialsRequired),
            ]
        ),
        (
            "register",
            [
                (["firstName": ""], fieldsRequired), (["lastName": ""], fieldsRequired),
                (["email": ""], fieldsRequired),
                (["password": "", "confirm": ""], fieldsRequired),
                (["confirm": "Pass5678"], "Passwords do not match."),
                (["email": "invalid-email"], invalidEmail),
                (passwords("Pass123"), "Password must be at least 8 characters long."),
                (passwords("PASS1234"), "Password must contain at least one lowercase letter"),
                (passwords("pass1234"), "Password must contain at least one uppercase letter"),
                (passwords("PassWord"), "Password must contain at least one number"),
                (["terms": ""], termsRequired), (["privacy": ""], termsRequired),
                (["firstName": "", "confirm": "x", "email": "y", "terms": ""], fieldsRequired),
                (["confirm": "x", "email": "y", "terms": ""], "Passwords do not match."),
                (["email": "y", "terms": ""], invalidEmail),
            ]
        ),
        (
            "reset",
            [
                (["email": ""], "Please enter your email address to reset your password."),
                (["email": "invalid-email"], invalidEmail),
            ]
        ),
        (
            "newPassword",
            [
                (["code": ""], fieldsRequired), (["password": ""], fieldsRequired),
                (["password": "Pass123"], "Password must be at least 8 characters long."),
                (
                    ["password": "PASS1234"],
                    "Password must contain at least one lowercase letter"
                ),
                (
                    ["password": "pass1234"],
                    "Password must contain at least one uppercase letter"
                ), (["password": "PassWord"], "Password must contain at least one number"),
            ]
        ),
    ]

    private static func passwords(_ password: String) -> [String: String] {
        ["password": password, "confirm": password]
    }

    /// The call and the fields of each form.
    private static let forms = [
        ("login", FirebaseWire.signIn, ["email", "password"]),
        ("register", FirebaseWire.signUp, Array(FirebaseWire.form.keys)),
        ("reset", FirebaseWire.sendCode, ["email"]),
        ("newPassword", FirebaseWire.resetPassword, ["email", "password", "code"]),
    ]

    private static func validForm(_ screen: String) throws -> (call: String, form: [String: String])
    {
        let (_, call, fields) = try #require(forms.first { $0.0 == screen })
        let form = FirebaseWire.form(changing: ["code": "123456"])
        return (call, form.filter { fields.contains($0.key) })
    }

    @Test(arguments: violations)
    func `CLA-20, CLA-30, CLA-31, CLA-34, CLA-35, CLA-38 only the first violated rule is shown`(
        screen: String, rows: [Violation]
    ) async throws {
        let phone = try await FirebaseWire.phone()
        for row in rows {
            let typed = try Self.validForm(screen).form.merging(row.change) { $1 }
            let result = try await phone.act(screen, "submit", typed)
            #expect(result == ActionResult(screen: screen, succeeded: false), "\(row)")
            let now = try await phone.now
            #expect(Set(now.fieldErrors.values) == [row.message], "\(row)")
            #expect(now.fieldValues["email"] == typed["email"])
            #expect(now.fieldValues["firstName"] == typed["firstName"])
        }
        #expect(phone.stub.requests.isEmpty)
    }

    private static let wrongCredentials = "Invalid email or password"
    private static let emailTaken =
        "This email address is already registered. Please try signing in instead."
    private static let weakPassword =
        "Please choose a stronger password with at least 8 characters, "
        + "including uppercase, lowercase, and numbers."
    private static let tooManyAttempts = "Too many attempts. Please try again later."
    private static let configurationError =
        "App configuration error. Please restart the app or contact support."
    private static let unreachable =
        "Unable to connect to the server. Please check your internet connection and try again."

    typealias Row = (reply: StubTransport.Reply, message: String)

    static let commonFailures: [Row] =
        [
            ("TOO_MANY_ATTEMPTS_TRY_LATER : Try again later.", tooManyAttempts),
            ("QUOTA_EXCEEDED : Exceeded quota", tooManyAttempts), ("INVALID_EMAIL", invalidEmail),
            ("USER_DISABLED", "This account has been disabled. Please contact support."),
            ("OPERATION_NOT_ALLOWED", configurationError),
            ("PASSWORD_LOGIN_DISABLED", configurationError),
            ("CONFIGURATION_NOT_FOUND", configurationError),
            ("API key not valid. Please pass a valid API key.", configurationError),
        ].map { (FirebaseWire.error($0.0), $0.1) } + [
            (
                FirebaseWire.error("The request is missing a valid API key.", 403),
                configurationError
            ),
            (.json(503, "Service Unavailable"), "Server error 503"),
            (.json(200, "It works!"), "Unable to read the server's answer. Please try again."),
            (.failure(.connection), unreachable), (.failure(.nameLookup), unreachable),
            (.failure(.timeout), unreachable),
        ]

    static let failures: [(screen: String, rows: [Row])] = [
        (
            "login",
            commonFailures
                + ["INVALID_LOGIN_CREDENTIALS", "EMAIL_NOT_FOUND", "INVALID_PASSWORD"].map {
                    (FirebaseWire.error($0), wrongCredentials)
                }
        ),
        (
            "register",
            commonFailures + [
                (FirebaseWire.error("EMAIL_EXISTS"), emailTaken),
                (
                    FirebaseWire.error(
                        "WEAK_PASSWORD : Password should be at least 6 characters"), weakPassword
                ),
                (FirebaseWire.error("PASSWORD_DOES_NOT_MEET_REQUIREMENTS"), weakPassword),
            ]
        ),
        (
            "reset",
            commonFailures + [(FirebaseWire.error("RESET_PASSWORD_EXCEED_LIMIT"), tooManyAttempts)]
        ),
    ]

    @Test(arguments: failures)
    func `CLA-03, CLA-24, CLA-37, CLA-55, CLA-60, CLA-62 every Firebase error has its message`(
        screen: String, rows: [Row]
    ) async throws {
        let phone = try await FirebaseWire.phone()
        let (call, form) = try Self.validForm(screen)
        for row in rows {
            phone.stub.script(call, row.reply)
            let result = try await phone.act(screen, "submit", form)
            #expect(result == ActionResult(screen: screen, succeeded: false), "\(row)")
            let now = try await phone.now
            #expect(now.failure?.message == row.message, "\(row)")
            #expect(now.failure?.presentation == .inline)
            #expect(now.fieldValues["email"] == form["email"])
        }
        #expect(phone.stub.requests.count == rows.count)
        #expect(try await phone.userData["firebase_user.access_token"] == nil)
        // The form can be used again.
        phone.stub.script(call, FirebaseWire.session(1))
        phone.stub.always(FirebaseWire.lookup, FirebaseWire.user(verified: true))
        phone.stub.always(FirebaseWire.profile, .json(201, "{}"))
        phone.stub.always(FirebaseWire.sendCode, .json(200, "{}"))
        #expect(try await phone.act(screen, "submit", form).succeeded)
        #expect(try await phone.now.failure == nil)
    }

    // MARK: Verifying

    @Test func `CLA-52 checking the verification shows its result`() async throws {
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

    @Test func `CLA-53, CLA-62 resending shows a toast, and too many attempts an error`()
        async throws
    {
        let phone = try await FirebaseWire.signedIn(verified: false)
        phone.stub.script(
            FirebaseWire.sendCode, .json(200, "{}"),
            FirebaseWire.error("TOO_MANY_ATTEMPTS_TRY_LATER"))
        #expect(try await phone.act("verify", "resend").succeeded)
        #expect(try await phone.open("verify").shown?.toast == "Verification email sent")
        #expect(try await !phone.act("verify", "resend").succeeded)
        let shown = try #require(try await phone.open("verify").shown)
        #expect(shown.failure?.message == Self.tooManyAttempts)
        #expect(shown.toast == nil)
    }

    @Test func `an unverified user can sign out`() async throws {
        let phone = try await FirebaseWire.signedIn(verified: false)
        let result = try await phone.act("verify", "signOut")
        #expect(result == ActionResult(screen: "login", succeeded: true))
        #expect(try await phone.userData.isEmpty)
    }
}
