import Core
import Crypto
import SQLite

/// Authenticator apps of accounts, for users of the console who have none.
extension EmbeddedBackend {
    /// The codes that the authenticator apps of an account show now, by factor. A factor whose key
    /// cannot be unsealed has none; it can still be removed.
    func authenticatorCodes(of account: Account, at now: Timestamp) -> [String: String] {
        guard let format = administration(of: account.realm.contract)?.authenticatorKeys else {
            return [:]
        }
        var codes: [String: String] = [:]
        for factor in account.factors {
            guard let sealed = factor.sealedSecret,
                let text = try? context.open(sealed), let key = format.key(text)
            else { continue }
            codes[factor.id] = TOTP.code(of: key, step: now.seconds / TOTP.period)
        }
        return codes
    }

    /// A verified factor with a new key; nil if the contract has no such factors.
    func makeAuthenticator(
        _ administration: any ContractAdministration.Type, at now: Timestamp
    ) throws -> Factor? {
        guard let format = administration.authenticatorKeys else { return nil }
        let key = context.world.randomBytes(TOTP.secretByteCount)
        return Factor(
            id: RandomTokens.uuid(context.world), kind: .totp, name: "Authenticator app",
            sealedSecret: try context.seal(format.text(key)), createdAt: now, verifiedAt: now)
    }
}
