import Backend
import FoundationEssentials
import Simulator
import Web

/// Compares a session on its device, in its token and at its server, field by field.
package struct SessionComparison: Sendable {
    package let sources: SessionSources

    package init(sources: SessionSources) { self.sources = sources }

    /// Every field that some source has, the state first.
    package var fields: [ComparedField] {
        let core = [
            state, user, email, emailVerified, sessionID, accessTokenExpiry, issuedAt, generation,
            signature,
        ]
        return (core + otherFields).filter { $0.id == "state" || $0.hasValue }
    }

    package var discrepancies: [(field: ComparedField, discrepancy: Discrepancy)] {
        fields.compactMap { field in field.discrepancy.map { (field, $0) } }
    }

    /// Number of discrepancies that mark the session in lists.
    package var discrepancyCount: Int { discrepancies.filter(\.discrepancy.isCounted).count }

    // MARK: User and email

    private var user: ComparedField {
        var field = ComparedField(
            id: "user", name: "User",
            deviceValue: .text(sources.deviceValue(ClaimAliases.user)?.scalarText, isCode: true),
            tokenValue: .text(
                sources.tokenValue(ClaimAliases.claimedUser)?.scalarText, isCode: true),
            serverValue: serverValue(ClaimAliases.user, isCode: true) { sessionState in
                sessionState.account?.id
            })
        if field.differs {
            field.discrepancy = Discrepancy(
                kind: .userMismatch, outlier: outlier(field), explanation: "User IDs don't match.",
                fix: "Sign in again to store the values of one user.")
        }
        return field
    }

    private var email: ComparedField {
        var field = ComparedField(
            id: "email", name: "Email",
            deviceValue: .text(sources.deviceValue(ClaimAliases.email)?.scalarText),
            tokenValue: .text(sources.tokenValue(ClaimAliases.email)?.scalarText),
            serverValue: serverValue(ClaimAliases.email) { $0.account?.email })
        if field.differs {
            field.discrepancy = Discrepancy(
                kind: .emailMismatch, outlier: outlier(field),
                explanation: "The email address changed after this value was stored.",
                fix: renewal("update it"))
        }
        return field
    }

    private var emailVerified: ComparedField {
        func flag(_ json: JSON?) -> SourceValue {
            (json?.bool ?? json?.scalarText.flatMap(Bool.init)).map { .text(String($0)) } ?? .none
        }
        let account = sources.serverState?.account
        let serverValue: SourceValue
        if let account {
            let since = account.emailVerifiedAt.map { " since \(formatTime($0))" } ?? ""
            let word = String(account.emailVerifiedAt != nil)
            serverValue = account.email == nil ? .none : .content(word, shownAs: word + since)
        } else {
            serverValue =
                sources.serverState == nil
                ? flag(sources.lastResponse(ClaimAliases.verified)) : .none
        }
        var field = ComparedField(
            id: "emailVerified", name: "Email verified",
            deviceValue: flag(sources.deviceValue(ClaimAliases.verified)),
            tokenValue: flag(sources.tokenValue(ClaimAliases.verified)), serverValue: serverValue)
        if field.differs {
            let outlierSource = outlier(field)
            let subject = outlierSource == .device ? "The stored value" : "The claim"
            field.discrepancy = Discrepancy(
                kind: .staleEmailVerification, outlier: outlierSource,
                explanation: "\(subject) is outdated.",
                fix: outlierSource == .device
                    ? "The app updates it when it next loads the account." : renewal("update it"))
        }
        return field
    }

    // MARK: Other stored values

    /// Stored values that the token or the server has under the same name.
    private var otherFields: [ComparedField] {
        let handledNames = Set(
            ClaimAliases.user + ClaimAliases.email + ClaimAliases.verified + ClaimAliases.session
                + ["user"])
        return sources.storedValues.keys.sorted().compactMap { name in
            guard !handledNames.contains(name), let value = sources.storedValues[name],
                case let text? = value.scalarText ?? value.bool.map({ String($0) })
            else { return nil }
            let names = [name, Self.snakeCased(name)]
            let tokenValue = Self.textValue(sources.tokenValue(names))
            let serverValue = Self.textValue(sources.lastResponse(names))
            guard tokenValue != .none || serverValue != .none else { return nil }
            var field = ComparedField(
                id: name, name: name, deviceValue: .text(text), tokenValue: tokenValue,
                serverValue: serverValue)
            if field.differs {
                field.discrepancy = Discrepancy(
                    kind: .valueMismatch, outlier: outlier(field),
                    explanation: "The value changed after it was stored.",
                    fix: "The app updates it when it next loads it.")
            }
            return field
        }
    }

    private static func textValue(_ json: JSON?) -> SourceValue {
        .text(json?.scalarText ?? json?.bool.map { String($0) })
    }

    /// Converts `displayName` to `display_name`.
    private static func snakeCased(_ name: String) -> String {
        name.reduce(into: "") { out, letter in
            if letter.isUppercase { out += "_" }
            out += letter.lowercased()
        }
    }
}
