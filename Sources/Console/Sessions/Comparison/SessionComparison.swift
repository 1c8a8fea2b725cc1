import Backend
import FoundationEssentials
import Simulator
import Web

/// Stored, claimed and known of one session, fact by fact, each disagreement
/// named.
struct SessionComparison: Sendable {
    let sources: SessionSources

    /// Every fact that some side holds, the state first.
    var fields: [ComparedField] {
        let core = [
            state, user, email, emailVerified, sessionID, accessTokenExpiry, issuedAt, generation,
            signature,
        ]
        return (core + otherFields).filter { $0.id == "state" || $0.hasValue }
    }

    var discrepancies: [(fact: ComparedField, disagreement: Discrepancy)] {
        fields.compactMap { fact in fact.discrepancy.map { (fact, $0) } }
    }

    /// How many a list marks the session for.
    var discrepancyCount: Int { discrepancies.filter(\.disagreement.isCounted).count }

    // MARK: Whose it is

    private var user: ComparedField {
        var fact = ComparedField(
            id: "user", name: "User",
            deviceValue: .text(sources.deviceValue(ClaimAliases.user)?.scalarText, isCode: true),
            tokenValue: .text(
                sources.tokenValue(ClaimAliases.claimedUser)?.scalarText, isCode: true),
            serverValue: serverValue(ClaimAliases.user, isCode: true) { sessionState in
                sessionState.account?.id
            })
        if fact.differs {
            fact.discrepancy = Discrepancy(
                kind: .userMismatch, outlier: outlier(fact),
                explanation: "The sides speak of different people.",
                fix: "Signing in again stores one person's values.")
        }
        return fact
    }

    private var email: ComparedField {
        var fact = ComparedField(
            id: "email", name: "E-mail",
            deviceValue: .text(sources.deviceValue(ClaimAliases.email)?.scalarText),
            tokenValue: .text(sources.tokenValue(ClaimAliases.email)?.scalarText),
            serverValue: serverValue(ClaimAliases.email) { $0.account?.email })
        if fact.differs {
            fact.discrepancy = Discrepancy(
                kind: .emailMismatch, outlier: outlier(fact),
                explanation: "The address was changed after this was written.",
                fix: canRefresh
                    ? "A refresh would carry the new one."
                    : "Signing in again would carry the new one.")
        }
        return fact
    }

    private var emailVerified: ComparedField {
        func flag(_ json: JSON?) -> SourceValue {
            (json?.bool ?? json?.scalarText.flatMap(Bool.init)).map { .text(String($0)) } ?? .none
        }
        let account = sources.serverState?.account
        let known: SourceValue
        if let account {
            let since = account.emailVerifiedAt.map { " since \(formatTime($0))" } ?? ""
            let word = String(account.emailVerifiedAt != nil)
            known = account.email == nil ? .none : .content(word, shownAs: word + since)
        } else {
            known =
                sources.serverState == nil
                ? flag(sources.lastResponse(ClaimAliases.verified)) : .none
        }
        var fact = ComparedField(
            id: "emailVerified", name: "E-mail verified",
            deviceValue: flag(sources.deviceValue(ClaimAliases.verified)),
            tokenValue: flag(sources.tokenValue(ClaimAliases.verified)), serverValue: known)
        if fact.differs {
            let odd = outlier(fact)
            let what = odd == .device ? "What is stored" : "The claim"
            fact.discrepancy = Discrepancy(
                kind: .staleEmailVerification, outlier: odd,
                explanation: "\(what) is older than the change.",
                fix: odd == .device
                    ? "The app's next look at the account would store it."
                    : canRefresh ? "A refresh would carry it." : "Signing in again would carry it.")
        }
        return fact
    }

    // MARK: Everything else the manifest holds

    /// Stored values that the token or the server name alike.
    private var otherFields: [ComparedField] {
        let taken = Set(
            ClaimAliases.user + ClaimAliases.email + ClaimAliases.verified + ClaimAliases.session
                + ["user"])
        return sources.storedValues.keys.sorted().compactMap { name in
            guard !taken.contains(name), let value = sources.storedValues[name],
                case let text? = value.scalarText ?? value.bool.map({ String($0) })
            else { return nil }
            let names = [name, Self.snakeCased(name)]
            let claimed = Self.textValue(sources.tokenValue(names))
            let known = Self.textValue(sources.lastResponse(names))
            guard claimed != .none || known != .none else { return nil }
            var fact = ComparedField(
                id: name, name: name, deviceValue: .text(text), tokenValue: claimed,
                serverValue: known)
            if fact.differs {
                fact.discrepancy = Discrepancy(
                    kind: .valueMismatch, outlier: outlier(fact),
                    explanation: "It was changed after this was written.",
                    fix: "The app's next look at it would store it.")
            }
            return fact
        }
    }

    private static func textValue(_ json: JSON?) -> SourceValue {
        .text(json?.scalarText ?? json?.bool.map { String($0) })
    }

    /// `displayName` as `display_name`.
    private static func snakeCased(_ name: String) -> String {
        name.reduce(into: "") { out, letter in
            if letter.isUppercase { out += "_" }
            out += letter.lowercased()
        }
    }
}
