import Backend
import FoundationEssentials
import Simulator
import Web

extension Session {
    /// The list representation. `signature` is the access token's verification, nil if the token is
    /// no longer stored.
    func json(signature: SignatureVerification?) -> JSON {
        [
            "id": .string(id),
            "app": .string(app),
            "device": .string(device),
            "backend": .string(backend),
            "user": ["id": JSON(userID), "email": JSON(email)],
            "state": .string(state.rawValue),
            "createdAt": .string(createdAt.iso8601),
            "refreshedAt": JSON(refreshedAt?.iso8601),
            "refreshCount": JSON(refreshCount),
            "endedAt": JSON(endedAt?.iso8601),
            "accessToken": accessToken?.json(signature: signature) ?? .null,
            "refreshToken": refreshToken?.json(signature: nil) ?? .null,
            "discrepancyCount": JSON(discrepancyCount),
        ]
    }
}

extension Session.TokenSummary {
    /// The masked value, the decoded claims, and the signature's status as far as it could be
    /// verified.
    func json(signature: SignatureVerification?) -> JSON {
        return [
            "masked": .string(maskedValue),
            "kind": isJWT ? "jwt" : "opaque",
            "algorithm": JSON(algorithm),
            "keyId": JSON(keyID),
            "signature": JSON(
                signature?.status.rawValue
                    ?? (isJWT ? "unverified" : "opaque")),
            "issuedAt": JSON(issuedAt?.iso8601),
            "expiresAt": JSON(expiresAt?.iso8601),
            "bytes": JSON(byteCount),
            "receivedAt": .string(receivedAt.iso8601),
            "claims": claims ?? .null,
        ]
    }
}
