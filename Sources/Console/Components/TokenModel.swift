import Backend
import FoundationEssentials
import Inspection
import Simulator
import Web

/// A token's card: verdict, time left, the masked value, its claims.
struct TokenModel: Encodable, Sendable {
    /// `studio.token.access`, `session.token.refresh` …; claims append to it.
    var testID: String
    /// The element's id: `token-access`.
    var domID: String
    /// `Access token`.
    var name: String
    /// `access token`.
    var lowercaseName: String
    /// The event that stored it; nil if that is no longer stored.
    var eventURL: String? = nil
    /// In the last fifth of its lifetime; the card has an amber border.
    var isExpiringSoon: Bool
    /// The page part that revealing replaces: `tokens`.
    var swapPart: String
    /// The signature's status: `Valid signature · ES256 · key 3f2a` (ok, shield),
    /// `Not verified · no key` (neutral, info), `Invalid signature · key …` (bad, cross),
    /// `Unsigned · alg none` (warn, warn), `Opaque` (neutral, no icon).
    var verdict: ChipModel
    /// `Expired` (bad, clock), separate from the verdict; nil otherwise.
    var expiry: ChipModel?
    /// Nil for an opaque token without a known expiry.
    var countdown: CountdownModel?
    /// The refresh token's generations; nil for an access token.
    var generations: GenerationsModel?
    /// The masked value; nil while it is revealed.
    var maskedValue: MaskedValue?
    /// The unmasked value; nil while it is masked.
    var revealedValue: RevealedValue?
    /// The app's own claims first, `iat → exp` last.
    var claims: [Claim]

    struct MaskedValue: Encodable, Sendable {
        /// First 6 and last 4 characters: `eyJhbG…x9Qw`.
        var masked: String
        /// This page with the value revealed: `?reveal=atlas_access_token`.
        var revealURL: String
        /// The API's URL of the storage key: JSON with the unmasked value in `value`.
        var copyURL: String
    }

    /// A JWT's three parts, with the dots in the second and the third; an opaque token is entirely
    /// in `payload`.
    struct RevealedValue: Encodable, Sendable {
        var header: String
        var payload: String
        var signature: String
        /// This page with the value masked.
        var hideURL: String
    }

    struct Claim: Encodable, Sendable {
        var name: String
        /// The claim's name in test ids.
        var claimID: String
        var value: String
        /// The untruncated `value`, for its tooltip.
        var fullValue: String
        /// Whether it is set in a monospaced font: ids, URLs.
        var isCode: Bool
        /// ISO 8601, if `value` is a relative time; nil otherwise.
        var timestamp: String?
    }
}

extension TokenModel {
    /// The cards of a session's access and refresh tokens; `key` is the storage key that holds a
    /// token, nil if it is no longer stored.
    static func cards(
        of session: Session, testID: String, verdict: SignatureVerification?,
        lineage: Lineage? = nil, links: StoredItemLinks, key: (_ token: String) -> String?,
        now: Date
    ) -> [TokenModel] {
        let access = session.accessToken.map { summary in
            var model = TokenModel(
                "Access token", testID: "\(testID).access", id: "access", summary,
                key: key("accessToken"), links: links, now: now)
            model.verdict = verdictChip(verdict, summary)
            return model
        }
        let refresh = session.refreshToken.map { summary in
            let key = key("refreshToken")
            var model = TokenModel(
                "Refresh token", testID: "\(testID).refresh", id: "refresh", summary, key: key,
                links: links, now: now)
            model.verdict = verdictChip(nil, summary, isStored: key != nil)
            model.generations = GenerationsModel(
                used: session.refreshCount, ended: session.endedAt != nil)
            guard !summary.isJWT else { return model }
            model.claims = [
                Claim(
                    "Generation", lineage?.currentLabel ?? String(session.generation),
                    isCode: false, id: "generation"),
                Claim(
                    "Issued", Format.ago(summary.receivedAt, now), isCode: false,
                    timestamp: summary.receivedAt, id: "issued"),
            ]
            return model
        }
        return [access, refresh].compactMap(\.self)
    }

    /// A token's card without its verdict; `links` is nil for a token that is not stored.
    init(
        _ name: String, testID: String, id: String, _ summary: Session.TokenSummary,
        key: String? = nil, links: StoredItemLinks? = nil, now: Date
    ) {
        let countdown = CountdownModel.lifetime(
            of: summary, named: name, testID: "\(testID).countdown", now: now)
        let revealed = links?.revealed.flatMap { $0.key == key ? $0.value : nil }
        var maskedValue: MaskedValue?
        if revealed == nil, let key, let links {
            maskedValue = MaskedValue(
                masked: summary.maskedValue, revealURL: links.revealURL(key),
                copyURL: Links.storageItem(links.instance, key))
        }
        self.init(
            testID: testID, domID: "token-\(id)", name: name, lowercaseName: name.lowercased(),
            eventURL: key.flatMap { links?.eventURL($0) },
            isExpiringSoon: countdown?.phase == .warn, swapPart: links == nil ? "" : "tokens",
            verdict: Self.verdictChip(nil, summary),
            expiry: countdown?.phase == .expired
                ? ChipModel(text: "Expired", tone: .bad, chipIcon: "clock") : nil,
            countdown: countdown, generations: nil,
            maskedValue: maskedValue,
            revealedValue: revealed.map { RevealedValue($0, hideURL: links?.pageURL ?? "") },
            claims: Self.claims(summary))
    }

    /// The verdict as a chip.
    ///
    /// A JWT without one is not verified: it is no longer stored, or only its backend can verify
    /// it, as with a refresh token.
    static func verdictChip(
        _ verdict: SignatureVerification?, _ summary: Session.TokenSummary, isStored: Bool = false
    ) -> ChipModel {
        guard summary.isJWT else { return ChipModel(text: "Opaque", tone: .neutral) }
        return verdict.map(verdictChip)
            ?? ChipModel(
                text: isStored ? "Not verified" : "Not verified · no longer stored",
                tone: .neutral, chipIcon: "info")
    }

    /// Identifies the key by the last four characters of its id.
    static func verdictChip(_ verdict: SignatureVerification) -> ChipModel {
        let key = [verdict.algorithm, verdict.keyID.map { "key \($0.suffix(4))" }].compactMap(
            \.self
        ).joined(separator: " · ")
        return switch verdict.status {
        case .verified: ChipModel(text: "Valid signature · \(key)", tone: .ok, chipIcon: "shield")
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
        if summary.issuedAt != nil || summary.expiresAt != nil {
            let span = [summary.issuedAt, summary.expiresAt].map {
                $0.map { Format.dateTime($0) } ?? "–"
            }
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
            fullValue: value, isCode: isCode, timestamp: timestamp?.iso8601)
    }
}

extension TokenModel.RevealedValue {
    fileprivate init(_ value: String, hideURL: String) {
        let parts = value.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else {
            self.init(header: "", payload: value, signature: "", hideURL: hideURL)
            return
        }
        self.init(
            header: String(parts[0]), payload: ".\(parts[1])", signature: ".\(parts[2])",
            hideURL: hideURL)
    }
}
