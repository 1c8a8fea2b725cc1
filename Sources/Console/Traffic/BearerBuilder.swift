import Backend
import FoundationEssentials
import Traffic
import Web

/// Makes the card of the token an exchange carried: verdict, expiry at the
/// time of the call, header and claims.
struct BearerBuilder {
    let services: Services
    let exchange: Exchange
    /// The whole token; nil if it cannot be had any more.
    let token: String?
    /// First 6, an ellipsis, last 4 characters.
    let masked: String

    func build() -> ExchangeModel.Bearer {
        let jwt = token.flatMap { BearerToken(decoding: $0) }
        let ends = masked.split(
            separator: "…", maxSplits: 1, omittingEmptySubsequences: false)
        return ExchangeModel.Bearer(
            front: ends.first.map(String.init) ?? "",
            back: ends.count > 1 ? String(ends[1]) : "",
            tokenSize: token.map { Words.size($0.utf8.count) } ?? "",
            verdicts: verdicts(jwt), decoded: jwt.map(decoded))
    }

    // MARK: Verdicts

    private func verdicts(_ jwt: BearerToken?) -> [ChipModel] {
        guard let jwt, let token else {
            return [ChipModel(text: "Opaque", tone: .neutral)]
        }
        var chips = [TokenModel.chip(verdict(jwt, token))]
        if let end = jwt.time("exp"), end <= exchange.startedAt {
            chips.append(
                ChipModel(text: "expired", tone: .bad, chipIcon: "clock"))
        }
        return chips
    }

    private func verdict(_ jwt: BearerToken, _ token: String) -> Verdict {
        let algorithm = jwt.header.first { $0.name == "alg" }?.value.string
        if algorithm?.lowercased() == "none" {
            return Verdict(word: .unsigned, reason: "Its algorithm is none.")
        }
        guard
            let contract = services.contract(
                ofBackend: exchange.backend, app: exchange.app)
        else {
            return Verdict(
                word: .unverified,
                reason: "No key is known for this backend.")
        }
        return services.backend.judge(
            token, contract: contract, workspace: exchange.workspace)
    }

    // MARK: Claims

    private func decoded(_ jwt: BearerToken) -> ExchangeModel.Decoded {
        ExchangeModel.Decoded(
            headerFacts: jwt.header.prefix(Self.shown).map {
                FactModel($0.name, Self.text($0.value), code: true)
            },
            claimFacts: jwt.claims.prefix(Self.shown).map(claim))
    }

    /// A stranger's token may have any number of claims.
    private static let shown = 24

    private func claim(_ member: JSON.Member) -> ExchangeModel.Claim {
        let text = Self.text(member.value)
        var meaning = ""
        var tone = ""
        switch member.name {
        case "sub": meaning = "the user"
        case "iss": meaning = "who signed it"
        case "aud": meaning = "whom it is for"
        case "iat", "nbf", "exp":
            guard let seconds = member.value.int else { break }
            let time = Date(timeIntervalSince1970: Double(seconds))
            meaning = Words.clock(time) + ", " + distance(time)
            if member.name == "exp", time <= exchange.startedAt {
                tone = "bad"
            }
        default: break
        }
        return ExchangeModel.Claim(
            fact: member.name,
            value: text.count > 64 ? text.prefix(63) + "…" : text,
            full: text, code: !text.contains("@"), meaning: meaning,
            tone: tone)
    }

    private func distance(_ time: Date) -> String {
        let seconds = exchange.startedAt.timeIntervalSince(time)
        return seconds >= 0
            ? "\(Words.span(seconds)) before this call"
            : "\(Words.span(-seconds)) after this call"
    }

    private static func text(_ value: JSON) -> String {
        value.text ?? value.description
    }
}
