import Backend
import FoundationEssentials
import Inspection
import Simulator
import Templates
import Web

/// The card of a token (`parts/token`): verdict, time left, the masked value, its claims.
struct TokenCard {
    /// `Access token`.
    let name: String
    /// `studio.token.access`; the test ids of its parts begin with it.
    let testID: String
    /// The end of the element's id: `access`.
    let id: String
    let summary: Session.TokenSummary
    var verdict: ChipModel
    /// The storage key that holds it; nil if it is not stored.
    var key: String?
    /// Nil for a token that is not stored.
    var links: StoredItemLinks?
    /// Further claims of an opaque token.
    var claims: [TemplateModel] = []
    /// The refresh token's generations (`parts/generations`); nil for an access token.
    var generations: TemplateModel?
    /// Whether the server has ended its session: its time left is then without meaning.
    var isRevoked = false
    let now: Date

    /// The cards of a session's access and refresh tokens; `key` is the storage key that holds a
    /// token, nil if it is no longer stored.
    static func models(
        of session: Session, testID: String, verdict: SignatureVerification?,
        lineage: Lineage? = nil, links: StoredItemLinks, key: (_ token: String) -> String?,
        now: Date
    ) -> [TemplateModel] {
        let isRevoked = session.state == .revoked
        let access = session.accessToken.map { summary in
            TokenCard(
                name: "Access token", testID: "\(testID).access", id: "access", summary: summary,
                verdict: verdictChip(verdict, summary), key: key("accessToken"), links: links,
                isRevoked: isRevoked, now: now)
        }
        let refresh = session.refreshToken.map { summary in
            let key = key("refreshToken")
            let received = summary.receivedAt
            return TokenCard(
                name: "Refresh token", testID: "\(testID).refresh", id: "refresh",
                summary: summary, verdict: verdictChip(nil, summary, isStored: key != nil),
                key: key, links: links,
                claims: [
                    claim(
                        "Generation", lineage?.currentLabel ?? String(session.generation),
                        id: "generation"),
                    claim("Issued", Format.ago(received, now), timestamp: received, id: "issued"),
                ],
                // A page with the family shows the refreshes there.
                generations: lineage == nil
                    ? generations(
                        used: session.refreshCount, ended: session.endedAt != nil || isRevoked)
                    : nil, isRevoked: isRevoked, now: now)
        }
        return [access, refresh].compactMap { $0?.model() }
    }

    /// `title` replaces the name in the heading.
    func model(title: String? = nil) -> TemplateModel {
        let countdown =
            isRevoked
            ? nil
            : CountdownModel.lifetime(
                of: summary, named: name, testID: "\(testID).countdown", now: now)
        let revealed = links?.revealed.flatMap { $0.key == key ? $0.value : nil }
        var maskedValue: TemplateModel?
        if revealed == nil, let key, let links {
            maskedValue = [
                "masked": summary.maskedValue, "revealURL": links.revealURL(key),
                "copyURL": Links.storageItem(links.instance, key),
            ]
        }
        return [
            "testID": testID, "domID": "token-\(id)", "name": title ?? name,
            "lowercaseName": name.lowercased(), "eventURL": key.flatMap { links?.eventURL($0) },
            "isExpiringSoon": countdown?.phase == .warn,
            // The page part that revealing replaces.
            "swapPart": links == nil ? "" : "tokens", "verdict": verdict,
            "expiry": isRevoked
                ? ChipModel.sessionRevoked
                : countdown?.phase == .expired ? ChipModel.expired : nil,
            "countdown": countdown, "generations": generations, "maskedValue": maskedValue,
            "revealedValue": revealed.map(revealedValue),
            "claims": summary.isJWT ? Self.claims(summary) : claims,
        ]
    }

    /// A JWT's three parts, with the dots in the second and the third; an opaque token is entirely
    /// in `payload`.
    private func revealedValue(_ value: String) -> TemplateModel {
        let parts = value.split(separator: ".", omittingEmptySubsequences: false)
        let isJWT = parts.count == 3
        return [
            "header": isJWT ? String(parts[0]) : "", "payload": isJWT ? ".\(parts[1])" : value,
            "signature": isJWT ? ".\(parts[2])" : "", "hideURL": links?.pageURL,
        ]
    }

    // MARK: Claims

    /// Identity claims first, then the app's own, `iat → exp` last.
    private static func claims(_ summary: Session.TokenSummary) -> [TemplateModel] {
        guard case .object(let members)? = summary.claims else { return [] }
        let leading = ["sub", "email", "email_verified", "iss"]
        let times: Set<String> = ["iat", "exp", "nbf"]
        let first = leading.compactMap { name in members.first { $0.name == name } }
        let others = members.filter { !leading.contains($0.name) && !times.contains($0.name) }
        var claims = (first + others).prefix(12).map { member in
            let isCode =
                ["sub", "iss", "session_id", "jti", "aud"].contains(member.name)
                || member.name.hasSuffix("_id")
            return claim(member.name, member.value.displayText, isCode: isCode)
        }
        if summary.issuedAt != nil || summary.expiresAt != nil {
            let span = [summary.issuedAt, summary.expiresAt].map {
                $0.map { Format.dateTime($0) } ?? "–"
            }
            claims.append(claim("iat → exp", span.joined(separator: " → "), id: "iat-exp"))
        }
        return claims
    }

    /// `id` is the claim's name in test ids; `timestamp` the time if `value` is relative to it.
    private static func claim(
        _ name: String, _ value: String, isCode: Bool = false, timestamp: Date? = nil,
        id: String? = nil
    ) -> TemplateModel {
        [
            "name": name, "claimID": id ?? Format.testID(name), "value": value.truncated(to: 64),
            "fullValue": value, "isCode": isCode, "timestamp": timestamp?.iso8601,
        ]
    }
}

// MARK: Verdict and generations

extension TokenCard {
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

    /// The latest generations of a refresh token as a line of dots (`parts/generations`): up to
    /// three used ones, the current one and, unless the session has ended, the next.
    ///
    /// X coordinates are percentages of the drawing's width, so that it stretches without scaling.
    /// Dots are at 3 to 96; lines leave 3 percent beside a dot.
    static func generations(used: Int, ended: Bool) -> TemplateModel {
        let current = used + 1
        let first = current - min(used, 3)
        let last = ended ? current : current + 1
        let step = 93.0 / Double(max(last - first, 2))
        func x(_ number: Int) -> Double { 3 + step * Double(number - first) }
        return [
            "summary": "\(ended ? "Last" : "Current") generation: \(current)",
            "lines": (first..<last).map { number -> TemplateModel in
                [
                    "x1": Format.oneDecimal(x(number) + 3),
                    "x2": Format.oneDecimal(x(number + 1) - 3), "isDotted": number == current,
                ]
            },
            "dots": (first...last).map { number -> TemplateModel in
                let kind = number < current ? "used" : number == current ? "current" : "next"
                return [
                    "kind": kind, "x": Format.oneDecimal(x(number)),
                    "radius": kind == "next" ? "3.5" : "5",
                    "dotLabel": number == 1
                        ? "#1 sign-in, \(kind)" : number == current ? "#\(number) current" : nil,
                    "labelX": Format.oneDecimal(max(0, x(number) - 3)),
                ]
            },
        ]
    }
}
