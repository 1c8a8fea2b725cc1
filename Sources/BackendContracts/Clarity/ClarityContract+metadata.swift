import Backend
import SQLite
import Web

/// The custom claims of an account, as Firebase's administrators set them.
extension ClarityContract {
    static func metadata(of account: Account) -> [AccountMetadata] {
        let attributes = ClarityProfile(account).customAttributes ?? "{}"
        guard case .object(let members)? = try? JSON(parsing: attributes) else { return [] }
        return [
            AccountMetadata(
                name: "customClaims",
                text: "Set by administrators only; at the top level of ID tokens.",
                members: members)
        ]
    }

    static func setMetadata(
        _ name: String, to members: [JSON.Member], of account: Account, on connection: Connection,
        at now: Timestamp
    ) throws {
        var profile = ClarityProfile(account)
        do {
            profile.customAttributes = try checkedCustomAttributes(
                JSON.object(members).description)
        } catch let failure as GoogleFailure {
            throw Problem(
                status: 422, code: "invalid-account", title: "Invalid account",
                detail: "/metadata/\(name) is rejected: \(failure.message).",
                errors: [
                    .init(
                        pointer: "/metadata/\(name)", detail: "is rejected: \(failure.message)")
                ])
        }
        try connection.setProfile(of: account.id, to: profile.jsonText)
    }
}
