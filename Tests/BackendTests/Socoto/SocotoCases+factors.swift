import Support
import Web

@testable import Backend

/// Second factors.
extension SocotoCases {
    /// A request to a factor's `path`, where `@` is the factor, by a user with one enrollment.
    private static func factor(
        _ name: String, _ method: Web.Method, _ path: String, _ body: String? = nil,
        isVerified: Bool = false, isStrong: Bool = true
    ) -> ContractCase {
        .socoto("factors/" + name) { client in
            var token = try await client.createUser().accessToken
            let id: String
            if isVerified {
                let enrollment = await client.enrollTOTP(token)
                id = enrollment.id
                token =
                    isStrong ? enrollment.session.accessToken : await client.signIn().accessToken
            } else {
                id = await client.enroll(token).json["id"]?.string ?? ""
            }
            let challenge = await client.challenge(id, token).json["id"]?.string ?? ""
            return client.request(
                method, "/auth/v1/factors" + path.replacing("@", with: id),
                body?.replacing("@", with: challenge), bearer: token)
        }
    }

    static let factors: [ContractCase] = [
        factor(
            "enrolled", .post, "",
            #"{"friendly_name":"other","factor_type":"totp","issuer":"My App"}"#),
        factor("enrolled-for-the-site", .post, "", #"{"factor_type":"totp"}"#),
        factor(
            "name-taken", .post, "", #"{"friendly_name":"app","factor_type":"totp"}"#),
        factor("unknown-type", .post, "", #"{"factor_type":"sms"}"#),
        factor("no-type", .post, "", "{}"),
        factor("webauthn", .post, "", #"{"factor_type":"webauthn"}"#),
        factor(
            "second-at-first-level", .post, "", #"{"friendly_name":"x","factor_type":"totp"}"#,
            isVerified: true, isStrong: false),
        .socoto("factors/totp-off") { client in
            let token = try await client.createUser().accessToken
            try await client.setSwitch("totpFactors", isOn: false)
            return client.request(
                .post, "/auth/v1/factors", #"{"factor_type":"totp"}"#, bearer: token)
        },
        .socoto("factors/phone-off") { client in
            let token = try await client.createUser().accessToken
            try await client.setSwitch("phoneFactors", isOn: false)
            return client.request(
                .post, "/auth/v1/factors", #"{"factor_type":"phone","phone":"+15550100"}"#,
                bearer: token)
        },
        .socoto("factors/phone") { client in
            let token = try await client.createUser().accessToken
            return client.request(
                .post, "/auth/v1/factors",
                #"{"friendly_name":"my phone","factor_type":"phone","phone":"+15550100"}"#,
                bearer: token)
        },
        .socoto("factors/phone-malformed") { client in
            let token = try await client.createUser().accessToken
            return client.request(
                .post, "/auth/v1/factors", #"{"factor_type":"phone","phone":"0"}"#, bearer: token)
        },
        .socoto("factors/no-bearer") { $0.request(.post, "/auth/v1/factors", "{}") },
        factor("challenged", .post, "/@/challenge", "{}"),
        factor("no-uuid", .post, "/x/challenge", "{}"),
        factor("unknown", .post, "/00000000-0000-0000-0000-000000000000/challenge", "{}"),
        factor("wrong-code", .post, "/@/verify", #"{"challenge_id":"@","code":"000000"}"#),
        factor("no-code", .post, "/@/verify", #"{"challenge_id":"@"}"#),
        factor("no-challenge", .post, "/@/verify", #"{"code":"000000"}"#),
        factor("malformed-challenge", .post, "/@/verify", #"{"challenge_id":"x","code":"0"}"#),
        .socoto("factors/verified") { client in
            let token = try await client.createUser().accessToken
            let reply = await client.enroll(token)
            let id = reply.json["id"]?.string ?? ""
            let challenge = await client.challenge(id, token).json["id"]?.string ?? ""
            let code = client.totpCode(reply.json["totp"]?["secret"]?.string ?? "")
            return client.request(
                .post, "/auth/v1/factors/\(id)/verify",
                #"{"challenge_id":"\#(challenge)","code":"\#(code)"}"#, bearer: token)
        },
        factor("unenrolled", .delete, "/@", isVerified: true),
        factor("unfinished-unenrolled", .delete, "/@"),
        factor("unenrolled-at-first-level", .delete, "/@", isVerified: true, isStrong: false),
    ]

    /// A request of an administrator to the factors of a user with one.
    private static func administration(
        _ name: String, _ method: Web.Method, _ path: String = "", _ body: String? = nil,
        isAdmin: Bool = true
    ) -> ContractCase {
        .socoto("admin-factors/" + name) { client in
            let enrollment = await client.enrollTOTP(try await client.createUser().accessToken)
            let user = enrollment.session.json["user"]?["id"]?.string ?? ""
            return client.request(
                method,
                "/auth/v1/admin/users/\(user)/factors"
                    + path.replacing("@", with: enrollment.id), body,
                bearer: isAdmin ? client.serviceKey : enrollment.session.accessToken)
        }
    }

    static let factorAdministration: [ContractCase] = [
        administration("list", .get), administration("list-by-user", .get, isAdmin: false),
        administration("renamed", .put, "/@", #"{"friendly_name":"new"}"#),
        administration("removed", .delete, "/@"),
        administration("unknown", .delete, "/00000000-0000-0000-0000-000000000000"),
        .socoto("admin-factors/unknown-user") { client in
            let path = "/auth/v1/admin/users/00000000-0000-0000-0000-000000000000/factors"
            return client.request(.get, path, bearer: client.serviceKey)
        },
    ]
}
