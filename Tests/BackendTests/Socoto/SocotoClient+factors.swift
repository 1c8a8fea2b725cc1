import Core
import Crypto
import Support
import Web

@testable import Backend

extension SocotoClient {
    func enroll(
        _ bearer: String, name: String = "app", type: String = "totp", phone: String? = nil
    ) async -> Reply {
        await send(
            .post, "/auth/v1/factors",
            ["friendly_name": .string(name), "factor_type": .string(type), "phone": JSON(phone)],
            bearer: bearer)
    }

    func challenge(_ factor: String, _ bearer: String) async -> Reply {
        await send(.post, "/auth/v1/factors/\(factor)/challenge", .object([]), bearer: bearer)
    }

    func verify(_ factor: String, _ challenge: String, code: String, _ bearer: String) async
        -> Reply
    {
        await send(
            .post, "/auth/v1/factors/\(factor)/verify",
            ["challenge_id": .string(challenge), "code": .string(code)], bearer: bearer)
    }

    /// Challenges the factor and answers with `code`.
    func answer(_ factor: String, code: String, _ bearer: String) async -> Reply {
        let challenge = await challenge(factor, bearer).json["id"]?.string ?? ""
        return await verify(factor, challenge, code: code, bearer)
    }

    func unenroll(_ factor: String, _ bearer: String) async -> Reply {
        await send(.delete, "/auth/v1/factors/\(factor)", bearer: bearer)
    }

    /// The code that an authenticator app shows now.
    func totpCode(_ secret: String) -> String {
        let step = Timestamp(fixture.frozen.now).seconds / TOTP.period
        return TOTP.code(of: Base32.decode(secret) ?? [], step: step)
    }

    /// Enrolls an authenticator app and completes it: the factor's id, its secret and the session.
    func enrollTOTP(_ bearer: String) async -> (id: String, secret: String, session: Reply) {
        let reply = await enroll(bearer)
        let id = reply.json["id"]?.string ?? ""
        let secret = reply.json["totp"]?["secret"]?.string ?? ""
        return (id, secret, await answer(id, code: totpCode(secret), bearer))
    }
}

extension Reply {
    /// A claim of the access token.
    func claim(_ name: String) -> JSON? {
        let parts = accessToken.split(separator: ".")
        guard parts.count == 3, let bytes = Base64URL.decode(parts[1]),
            let claims = try? JSON(parsing: String(decoding: bytes, as: UTF8.self))
        else { return nil }
        return claims[name]
    }
}
