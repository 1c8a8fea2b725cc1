import Backend
import FoundationEssentials
import Inspection
import Simulator
import Web

extension TokenModel {
    /// The card's test id, storage key and link URLs.
    struct CardContext {
        /// `studio.token`, `session.token`.
        var testID: String
        /// The storage key that holds it; nil if it is no longer stored.
        var key: String?
        /// The page part that revealing replaces.
        var swapPart: String
        /// The page's URL with a key revealed.
        var revealURL: (String) -> String
        var hideURL: String
        /// The API's URL of a key.
        var copyURL: (String) -> String
        /// The URL of the event that last wrote a key.
        var eventURL: (String) -> String? = { _ in nil }
        /// The currently revealed key, with its value.
        var revealed: (key: String, value: String)?
    }

    static func access(
        _ summary: Session.TokenSummary, verdict: SignatureVerification?,
        context: CardContext, now: Date
    )
        -> TokenModel
    {
        var model = makeCard("Access token", id: "access", summary, context: context, now: now)
        model.verdict = verdictChip(verdict, summary)
        return model
    }

    static func refresh(
        _ summary: Session.TokenSummary, of session: Session, lineage: Lineage? = nil,
        context: CardContext,
        now: Date
    ) -> TokenModel {
        var model = makeCard("Refresh token", id: "refresh", summary, context: context, now: now)
        model.verdict = unverifiedChip(summary, isStored: context.key != nil)
        model.generations = GenerationsModel(
            used: session.refreshCount, ended: session.endedAt != nil)
        if !summary.isJWT {
            model.claims = [
                Claim(
                    "Generation", lineage?.currentLabel ?? String(session.generation),
                    isCode: false,
                    id: "generation"),
                Claim(
                    "Issued", Format.ago(summary.receivedAt, now), isCode: false,
                    timestamp: summary.receivedAt, id: "issued"),
            ]
        }
        return model
    }

    private static func makeCard(
        _ name: String, id: String, _ summary: Session.TokenSummary, context: CardContext,
        now: Date
    ) -> TokenModel {
        let testID = "\(context.testID).\(id)"
        let countdown = CountdownModel.lifetime(
            of: summary, named: name, testID: "\(testID).countdown", now: now)
        let isRevealed = context.key != nil && context.revealed?.key == context.key
        return TokenModel(
            testID: testID, domID: "token-\(id)", name: name, lowercaseName: name.lowercased(),
            eventURL: context.key.flatMap(context.eventURL),
            isExpiringSoon: countdown?.phase == .warn,
            swapPart: context.swapPart, verdict: verdictChip(nil, summary),
            expiry: countdown?.phase == .expired
                ? ChipModel(text: "Expired", tone: .bad, chipIcon: "clock") : nil,
            countdown: countdown, generations: nil,
            maskedValue: isRevealed ? nil : maskedValue(summary, context),
            revealedValue: isRevealed ? revealedValue(context) : nil, claims: claims(summary))
    }

    private static func maskedValue(_ summary: Session.TokenSummary, _ context: CardContext)
        -> MaskedValue?
    {
        guard let key = context.key else { return nil }
        return MaskedValue(
            masked: summary.maskedValue, revealURL: context.revealURL(key),
            copyURL: context.copyURL(key))
    }

    private static func revealedValue(_ context: CardContext) -> RevealedValue? {
        guard let value = context.revealed?.value else { return nil }
        let parts = value.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else {
            return RevealedValue(
                header: "", payload: value, signature: "", hideURL: context.hideURL)
        }
        return RevealedValue(
            header: String(parts[0]), payload: ".\(parts[1])", signature: ".\(parts[2])",
            hideURL: context.hideURL)
    }

    /// The verdict as a chip; a JWT without a verdict is shown as not verified.
    static func verdictChip(_ verdict: SignatureVerification?, _ summary: Session.TokenSummary)
        -> ChipModel
    {
        guard summary.isJWT else { return ChipModel(text: "Opaque", tone: .neutral) }
        guard let verdict else { return unverifiedChip(summary, isStored: false) }
        return verdictChip(verdict)
    }

    /// For a token that is not verified: it is no longer stored, or only its backend can verify it,
    /// as with a refresh token.
    private static func unverifiedChip(_ summary: Session.TokenSummary, isStored: Bool) -> ChipModel
    {
        guard summary.isJWT else { return ChipModel(text: "Opaque", tone: .neutral) }
        return ChipModel(
            text: isStored ? "Not verified" : "Not verified · no longer stored", tone: .neutral,
            chipIcon: "info")
    }

    /// Identifies the key by the last four characters of its id.
    static func verdictChip(_ verdict: SignatureVerification) -> ChipModel {
        let key = [verdict.algorithm, verdict.keyID.map { "key \($0.suffix(4))" }].compactMap(
            \.self
        ).joined(separator: " · ")
        return switch verdict.status {
        case .verified:
            ChipModel(text: "Valid signature · \(key)", tone: .ok, chipIcon: "shield")
        case .unverified: ChipModel(text: "Not verified · no key", tone: .neutral, chipIcon: "info")
        case .invalid: ChipModel(text: "Invalid signature · \(key)", tone: .bad, chipIcon: "cross")
        case .unsigned: ChipModel(text: "Unsigned · alg none", tone: .warn, chipIcon: "warn")
        case .opaque: ChipModel(text: "Opaque", tone: .neutral)
        }
    }

    /// Identity claims first, then the app's own, `iat → exp` last.
    private static func claims(_ summary: Session.TokenSummary) -> [Claim] {
        guard case .object(let members)? = summary.claims else { return [] }
        let leading = ["sub", "email", "email_verified", "iss"]
        let times: Set<String> = ["iat", "exp", "nbf"]
        let first = leading.compactMap { name in members.first { $0.name == name } }
        let others = members.filter { !leading.contains($0.name) && !times.contains($0.name) }
        var claims = (first + others).prefix(12).map { member in
            let isCode =
                ["sub", "iss", "session_id", "jti", "aud"].contains(member.name)
                || member.name.hasSuffix("_id")
            return Claim(member.name, member.value.displayText, isCode: isCode)
        }
        let span = [summary.issuedAt, summary.expiresAt].map {
            $0.map { Format.dateTime($0) } ?? "–"
        }
        if summary.issuedAt != nil || summary.expiresAt != nil {
            claims.append(
                Claim("iat → exp", span.joined(separator: " → "), isCode: false, id: "iat-exp"))
        }
        return claims
    }
}

extension TokenModel.Claim {
    init(_ claim: String, _ value: String, isCode: Bool, timestamp: Date? = nil, id: String? = nil)
    {
        self.init(
            name: claim, claimID: id ?? Format.testID(claim), value: value.truncated(to: 64),
            fullValue: value,
            isCode: isCode, timestamp: timestamp?.iso8601)
    }
}
