import Backend
import Core
import FoundationEssentials
import SQLite
import Web

/// A second factor as an administrator sends it.
struct ClarityFactorDraft: Sendable {
    /// Nil for a new one.
    let id: String?
    let name: String
    /// E.164; nil for an authenticator app, which only its user can add.
    let phone: String?
    let enrolledAt: Timestamp?
}

extension ClarityContract {
    /// Factors as an administrator sends them, each number once.
    static func readFactors(_ list: [GoogleBody], areNew: Bool) throws -> [ClarityFactorDraft] {
        var ids: Set<String> = []
        var phones: Set<String> = []
        var drafts: [ClarityFactorDraft] = []
        for item in list {
            let phone = try item.text("phoneInfo").flatMap(phoneNumber)
            guard phone != nil || !areNew && item.has("totpInfo") else {
                throw GoogleFailure.invalidFactorPhone
            }
            if let phone, !phones.insert(phone).inserted { continue }
            let id = areNew ? nil : try item.text("mfaEnrollmentId")
            if !areNew {
                let id = try id.orThrow(GoogleFailure.missingFactorID)
                guard ids.insert(id).inserted else { throw GoogleFailure.duplicateFactorID }
            }
            let enrolledAt = try item.text("enrolledAt").flatMap(Date.init(iso8601:))
            drafts.append(
                ClarityFactorDraft(
                    id: id, name: try item.displayName() ?? "", phone: phone,
                    enrolledAt: enrolledAt.map { Timestamp($0) }))
        }
        return drafts
    }

    /// A factor in `mfaInfo`. Before the second factor is proven, its number is hidden.
    static func factorJSON(_ factor: Factor, isHidden: Bool = false) -> JSON {
        .omittingNil([
            "mfaEnrollmentId": .string(factor.id),
            "displayName": factor.name.isEmpty ? nil : .string(factor.name),
            "enrolledAt": .string(factor.createdAt.date.iso8601),
            "phoneInfo": factor.phone.map { .string(isHidden ? hidden($0) : $0) },
            "unobfuscatedPhoneInfo": isHidden ? nil : factor.phone.map(JSON.string),
            "totpInfo": factor.kind == .totp ? .object([]) : nil,
        ])
    }

    /// The number with only its last four digits.
    private static func hidden(_ phone: String) -> String {
        "+" + String(repeating: "*", count: max(0, phone.utf8.count - 5)) + phone.suffix(4)
    }
}

extension Connection {
    /// Makes these the account's only second factors.
    func setFactors(
        of account: Account, to drafts: [ClarityFactorDraft], at now: Timestamp, world: World
    ) throws {
        for factor in account.factors where !drafts.contains(where: { $0.id == factor.id }) {
            try remove(factor: factor.id)
        }
        for draft in drafts {
            if var factor = account.factors.first(where: { $0.id == draft.id }),
                draft.phone == nil || draft.phone == factor.phone
            {
                factor.name = draft.name
                factor.updatedAt = now
                try save(factor)
                continue
            }
            let phone = try draft.phone.orThrow(GoogleFailure.invalidFactorPhone)
            if let id = draft.id { try remove(factor: id, ofAccount: account) }
            let id = draft.id ?? RandomTokens.uuid(world)
            guard try count("SELECT count(*) FROM factors WHERE id = ?", [.text(id)]) == 0 else {
                throw GoogleFailure.duplicateFactorID
            }
            let createdAt = draft.enrolledAt ?? now
            try add(
                Factor(
                    id: id, kind: .phone, name: draft.name, phone: phone, createdAt: createdAt,
                    verifiedAt: createdAt), to: account)
        }
    }

    private func remove(factor id: String, ofAccount account: Account) throws {
        guard account.factors.contains(where: { $0.id == id }) else { return }
        try remove(factor: id)
    }
}
