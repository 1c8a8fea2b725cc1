import Support
import Web

@testable import Backend

/// Requests of administrators, text messages and second factors.
extension BackendFixture {
    static let phone = "+15555550100"

    /// Sends an administrator's request to a method of the accounts, such as `:lookup`.
    @discardableResult func admin(_ method: String, _ json: JSON) async -> Reply {
        await send(.admin(method, json.description))
    }

    /// Creates the account `ada` with all that an administrator can set.
    func createAda() async {
        await admin(
            "",
            [
                "localId": "ada", "email": .string(Self.email), "password": .string(Self.password),
                "displayName": "Ada", "photoUrl": "https://example.com/ada.png",
                "phoneNumber": .string(Self.phone), "emailVerified": true,
            ])
    }

    /// Sends a request to a helper of the emulator.
    func emulator(_ path: String, _ method: Web.Method = .get, _ body: String = "") async -> Reply {
        await send(.emulator(path, method, body))
    }

    /// The newest text message's code, with its session info.
    func textMessage() async -> (sessionInfo: String, code: String) {
        let codes = await emulator("verificationCodes").json["verificationCodes"]?.elements
        return (
            codes?.last?["sessionInfo"]?.string ?? "", codes?.last?["code"]?.string ?? ""
        )
    }

    /// Requests a code for a number.
    func requestCode(_ phone: String = BackendFixture.phone) async -> (
        sessionInfo: String, code: String
    ) {
        _ = await google("sendVerificationCode", ["phoneNumber": .string(phone)])
        return await textMessage()
    }

    func signUpAnonymously() async -> Reply { await google("signUp", [:]) }

    /// Signs in with an identity at Google.
    @discardableResult func signInWithGoogle(_ claims: JSON) async -> Reply {
        await send(.provider(claims))
    }

    /// A sign-in link's code.
    func signInCode() async throws -> String {
        _ = await google(
            "sendOobCode", ["requestType": "EMAIL_SIGNIN", "email": .string(Self.email)])
        return Self.code(in: try await link(to: Self.email, purpose: "login"))
    }

    /// A code that changes the address of a new account, and its link.
    func changeLink() async throws -> String {
        let token = await signUpWithFirebase().idToken
        _ = await google(
            "sendOobCode",
            [
                "requestType": "VERIFY_AND_CHANGE_EMAIL", "idToken": .string(token),
                "newEmail": "eve@example.com",
            ])
        return try await link(to: "eve@example.com", purpose: "email change")
    }

    /// A user with a verified address and the ID token of a sign-in.
    func verifiedToken() async -> String {
        await createAda()
        await admin(":update", ["localId": "ada", "deleteProvider": ["phone"]])
        return await signInWithFirebase().idToken
    }

    /// Adds a number as second factor. Returns its id.
    @discardableResult func enrollPhone() async -> String {
        let token = await verifiedToken()
        _ = await send(
            .factor(
                "mfaEnrollment:start",
                ["idToken": .string(token), "phoneEnrollmentInfo": ["phoneNumber": "+15555550199"]])
        )
        let (sessionInfo, code) = await textMessage()
        _ = await send(.factor("mfaEnrollment:finalize", Self.finish(token, sessionInfo, code)))
        let users = await admin(":lookup", ["localId": ["ada"]]).json["users"]
        return users?[0]?["mfaInfo"]?[0]?["mfaEnrollmentId"]?.string ?? ""
    }

    /// The message that completes an enrollment.
    static func finish(_ token: String, _ sessionInfo: String, _ code: String) -> JSON {
        [
            "idToken": .string(token), "displayName": "Work",
            "phoneVerificationInfo": [
                "sessionInfo": .string(sessionInfo), "code": .string(code),
            ],
        ]
    }

    /// The pending credential of a sign-in with a second factor.
    func pendingCredential() async -> String {
        await signInWithFirebase().json["mfaPendingCredential"]?.string ?? ""
    }

    /// Starts a sign-in with a second factor. Returns the message that completes it.
    func startFactorSignIn() async -> JSON {
        let id = await enrollPhone()
        let credential = await pendingCredential()
        _ = await send(
            .factor(
                "mfaSignIn:start",
                ["mfaPendingCredential": .string(credential), "mfaEnrollmentId": .string(id)]))
        let (sessionInfo, code) = await textMessage()
        return [
            "mfaPendingCredential": .string(credential),
            "phoneVerificationInfo": [
                "sessionInfo": .string(sessionInfo), "code": .string(code),
            ],
        ]
    }
}

extension Request {
    private static let toolkit = BackendFixture.clarity + "/identitytoolkit.googleapis.com"

    /// An administrator's request to a method of the project's accounts.
    static func admin(
        _ method: String, _ body: String, bearer: String? = "owner", query: String = ""
    )
        -> Request
    {
        .post(
            "\(toolkit)/v1/projects/clarity-pulse/accounts\(method)\(query)", body, bearer: bearer)
    }

    /// An administrator's request to the project.
    static func cookie(_ json: JSON) -> Request {
        .post(
            toolkit + "/v1/projects/clarity-pulse:createSessionCookie", json.description,
            bearer: "owner")
    }

    /// A GET request to Identity Toolkit.
    static func toolkit(_ path: String, bearer: String? = nil) -> Request {
        var headers = Headers()
        headers["Authorization"] = bearer.map { "Bearer \($0)" }
        return Request(method: .get, target: toolkit + path, headers: headers)
    }

    /// A request to a method of second factors.
    static func factor(_ method: String, _ json: JSON) -> Request {
        .post("\(toolkit)/v2/accounts/\(method)?key=k", json.description)
    }

    static func emulator(_ path: String, _ method: Web.Method = .get, _ body: String = "")
        -> Request
    {
        Request(
            method: method,
            target: BackendFixture.clarity + "/emulator/v1/projects/clarity-pulse/\(path)",
            headers: body.isEmpty ? [:] : ["Content-Type": "application/json"],
            body: Array(body.utf8))
    }

    /// A sign-in with an identity, as SDKs send it.
    static func provider(_ claims: JSON, id: String = "google.com", _ more: [JSON.Member] = [])
        -> Request
    {
        let postBody = Form.encode([("id_token", claims.description), ("providerId", id)])
        let members: [JSON.Member] = [
            .init("requestUri", "http://localhost"), .init("postBody", .string(postBody)),
            .init("returnSecureToken", true),
        ]
        return .google("signInWithIdp", JSON.object(members + more).description)
    }
}
