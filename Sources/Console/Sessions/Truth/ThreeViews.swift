import Backend
import FoundationEssentials
import Simulator
import Web

/// Stored, claimed and known of one session, fact by fact, each disagreement
/// named.
struct ThreeViews: Sendable {
    let evidence: Evidence

    /// Every fact that some side holds, the state first.
    var facts: [ViewFact] {
        let core = [state, user, email, verified, family, accessEnd, issued, generation, signature]
        return (core + others).filter { $0.id == "state" || $0.isHeld }
    }

    var disagreements: [(fact: ViewFact, disagreement: Disagreement)] {
        facts.compactMap { fact in fact.disagreement.map { (fact, $0) } }
    }

    /// How many a list marks the session for.
    var drift: Int { disagreements.filter(\.disagreement.isDrift).count }

    // MARK: Whose it is

    private var user: ViewFact {
        var fact = ViewFact(
            id: "user", name: "User",
            stored: .text(evidence.stored(Synonyms.user)?.text, code: true),
            claimed: .text(evidence.claimed(Synonyms.claimedUser)?.text, code: true),
            known: known(Synonyms.user, code: true) { truth in truth.account?.id })
        if fact.differs {
            fact.disagreement = Disagreement(
                kind: .userChanged, odd: odd(fact), why: "The sides speak of different people.",
                mend: "Signing in again stores one person's values.")
        }
        return fact
    }

    private var email: ViewFact {
        var fact = ViewFact(
            id: "email", name: "E-mail", stored: .text(evidence.stored(Synonyms.email)?.text),
            claimed: .text(evidence.claimed(Synonyms.email)?.text),
            known: known(Synonyms.email) { $0.account?.email })
        if fact.differs {
            fact.disagreement = Disagreement(
                kind: .emailChanged, odd: odd(fact),
                why: "The address was changed after this was written.",
                mend: canRefresh
                    ? "A refresh would carry the new one."
                    : "Signing in again would carry the new one.")
        }
        return fact
    }

    private var verified: ViewFact {
        func flag(_ json: JSON?) -> Side {
            (json?.bool ?? json?.text.flatMap(Bool.init)).map { .text(String($0)) } ?? .none
        }
        let account = evidence.truth?.account
        let known: Side
        if let account {
            let since = account.emailVerifiedAt.map { " since \(time($0))" } ?? ""
            let word = String(account.emailVerifiedAt != nil)
            known = account.email == nil ? .none : .said(word, as: word + since)
        } else {
            known = evidence.truth == nil ? flag(evidence.answered(Synonyms.verified)) : .none
        }
        var fact = ViewFact(
            id: "emailVerified", name: "E-mail verified",
            stored: flag(evidence.stored(Synonyms.verified)),
            claimed: flag(evidence.claimed(Synonyms.verified)), known: known)
        if fact.differs {
            let odd = odd(fact)
            let what = odd == .stored ? "What is stored" : "The claim"
            fact.disagreement = Disagreement(
                kind: .verifiedStale, odd: odd, why: "\(what) is older than the change.",
                mend: odd == .stored
                    ? "The app's next look at the account would store it."
                    : canRefresh ? "A refresh would carry it." : "Signing in again would carry it.")
        }
        return fact
    }

    // MARK: Everything else the manifest holds

    /// Stored values that the token or the server name alike.
    private var others: [ViewFact] {
        let taken = Set(
            Synonyms.user + Synonyms.email + Synonyms.verified + Synonyms.session + ["user"])
        return evidence.held.keys.sorted().compactMap { name in
            guard !taken.contains(name), let value = evidence.held[name],
                case let text? = value.text ?? value.bool.map({ String($0) })
            else { return nil }
            let names = [name, Self.snake(name)]
            let claimed = Self.plain(evidence.claimed(names))
            let known = Self.plain(evidence.answered(names))
            guard claimed != .none || known != .none else { return nil }
            var fact = ViewFact(
                id: name, name: name, stored: .text(text), claimed: claimed, known: known)
            if fact.differs {
                fact.disagreement = Disagreement(
                    kind: .differs, odd: odd(fact), why: "It was changed after this was written.",
                    mend: "The app's next look at it would store it.")
            }
            return fact
        }
    }

    private static func plain(_ json: JSON?) -> Side {
        .text(json?.text ?? json?.bool.map { String($0) })
    }

    /// `displayName` as `display_name`.
    private static func snake(_ name: String) -> String {
        name.reduce(into: "") { out, letter in
            if letter.isUppercase { out += "_" }
            out += letter.lowercased()
        }
    }
}
