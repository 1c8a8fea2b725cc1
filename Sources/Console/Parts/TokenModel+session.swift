import Backend
import FoundationEssentials
import Simulator
import Web

extension TokenModel {
    /// Where a token stands and what its links lead to.
    struct Position {
        /// `studio.token`, `session.token`.
        var testID: String
        /// The storage key that holds it; nil where it is no longer stored.
        var key: String?
        /// The part a reveal swaps.
        var swap: String
        /// The page with `key` revealed.
        var revealURL: (String) -> String
        var hideURL: String
        /// The API's address of `key`.
        var copyURL: (String) -> String
        /// The event that last wrote `key`.
        var eventURL: (String) -> String? = { _ in nil }
        /// The key that is revealed now, with its value.
        var revealed: (key: String, value: String)?
    }

    static func access(_ held: Session.Held, verdict: Verdict?, at position: Position, now: Date)
        -> TokenModel
    {
        var model = make("Access token", id: "access", held, at: position, now: now)
        model.verdict = chip(verdict, held)
        return model
    }

    static func refresh(
        _ held: Session.Held, of session: Session, lineage: Lineage? = nil, at position: Position,
        now: Date
    ) -> TokenModel {
        var model = make("Refresh token", id: "refresh", held, at: position, now: now)
        model.verdict = unjudged(held, isStored: position.key != nil)
        model.generations = GenerationsModel(
            used: session.refreshCount, ended: session.endedAt != nil)
        if !held.isJWT {
            model.claims = [
                Claim("generation", lineage?.current ?? String(session.generation), code: false),
                Claim("issued", Words.ago(held.receivedAt, now), code: false, at: held.receivedAt),
            ]
        }
        return model
    }

    private static func make(
        _ name: String, id: String, _ held: Session.Held, at position: Position, now: Date
    ) -> TokenModel {
        let testID = "\(position.testID).\(id)"
        let countdown = CountdownModel.life(
            of: held, named: name, testID: "\(testID).countdown", now: now)
        let isRevealed = position.key != nil && position.revealed?.key == position.key
        return TokenModel(
            testID: testID, domID: "token-\(id)", name: name, spokenName: name.lowercased(),
            eventURL: position.key.flatMap(position.eventURL), attention: countdown?.phase == .warn,
            swap: position.swap, verdict: chip(nil, held),
            expiry: countdown?.phase == .over
                ? ChipModel(text: "expired", tone: .bad, chipIcon: "clock") : nil,
            countdown: countdown, generations: nil, well: isRevealed ? nil : well(held, position),
            revealed: isRevealed ? revealed(position) : nil, claims: claims(held))
    }

    private static func well(_ held: Session.Held, _ position: Position) -> Well? {
        guard let key = position.key else { return nil }
        return Well(
            masked: held.masked, revealURL: position.revealURL(key), copyURL: position.copyURL(key))
    }

    private static func revealed(_ position: Position) -> Revealed? {
        guard let value = position.revealed?.value else { return nil }
        let parts = value.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else {
            return Revealed(head: "", payload: value, signature: "", hideURL: position.hideURL)
        }
        return Revealed(
            head: String(parts[0]), payload: ".\(parts[1])", signature: ".\(parts[2])",
            hideURL: position.hideURL)
    }

    /// The verdict in a chip; what nobody could check says so.
    static func chip(_ verdict: Verdict?, _ held: Session.Held) -> ChipModel {
        guard held.isJWT else { return ChipModel(text: "Opaque", tone: .neutral) }
        guard let verdict else { return unjudged(held, isStored: false) }
        return chip(verdict)
    }

    /// A token nobody holds against a key: gone, or its backend's own affair,
    /// as a refresh token is.
    private static func unjudged(_ held: Session.Held, isStored: Bool) -> ChipModel {
        guard held.isJWT else { return ChipModel(text: "Opaque", tone: .neutral) }
        return ChipModel(
            text: isStored ? "Not verified" : "Not verified · no longer stored", tone: .neutral,
            chipIcon: "info")
    }

    /// A key is told by its id's last four characters.
    static func chip(_ verdict: Verdict) -> ChipModel {
        let key = [verdict.algorithm, verdict.keyID.map { "key \($0.suffix(4))" }].compactMap(
            \.self
        ).joined(separator: " · ")
        return switch verdict.word {
        case .verified:
            ChipModel(text: "Signature verified · \(key)", tone: .ok, chipIcon: "shield")
        case .unverified: ChipModel(text: "Not verified · no key", tone: .neutral, chipIcon: "info")
        case .invalid: ChipModel(text: "Signature wrong · \(key)", tone: .bad, chipIcon: "cross")
        case .unsigned: ChipModel(text: "Unsigned · alg none", tone: .warn, chipIcon: "warn")
        case .opaque: ChipModel(text: "Opaque", tone: .neutral)
        }
    }

    /// Who it is first, then the app's own, `iat → exp` last.
    private static func claims(_ held: Session.Held) -> [Claim] {
        guard case .object(let members)? = held.claims else { return [] }
        let leading = ["sub", "email", "email_verified", "iss"]
        let times: Set<String> = ["iat", "exp", "nbf"]
        let first = leading.compactMap { name in members.first { $0.name == name } }
        let rest = members.filter { !leading.contains($0.name) && !times.contains($0.name) }
        var claims = (first + rest).prefix(12).map { member in
            let isCode =
                ["sub", "iss", "session_id", "jti", "aud"].contains(member.name)
                || member.name.hasSuffix("_id")
            return Claim(member.name, member.value.said, code: isCode)
        }
        let span = [held.issuedAt, held.expiresAt].map { $0.map { Words.moment($0) } ?? "–" }
        if held.issuedAt != nil || held.expiresAt != nil {
            claims.append(
                Claim("iat → exp", span.joined(separator: " → "), code: false, id: "iat-exp"))
        }
        return claims
    }
}

extension TokenModel.Claim {
    init(_ claim: String, _ value: String, code: Bool, at: Date? = nil, id: String? = nil) {
        self.init(
            claim: claim, claimID: id ?? Words.testID(claim), value: value.cut(to: 64), full: value,
            code: code, claimedAt: at?.iso8601)
    }
}
