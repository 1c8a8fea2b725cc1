import Backend
import FoundationEssentials
import Simulator
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
        let ends = masked.split(separator: "…", maxSplits: 1, omittingEmptySubsequences: false)
        let held = token.map { Session.Held(reading: $0, at: exchange.startedAt) }
        let jwt = held.flatMap { $0.isJWT ? $0 : nil }
        return ExchangeModel.Bearer(
            front: ends.first.map(String.init) ?? "", back: ends.count > 1 ? String(ends[1]) : "",
            tokenSize: held.map { Words.size($0.bytes) } ?? "", verdicts: verdicts(jwt),
            decoded: jwt.map(decoded))
    }

    // MARK: Verdicts

    private func verdicts(_ jwt: Session.Held?) -> [ChipModel] {
        guard let jwt, let token else { return [ChipModel(text: "Opaque", tone: .neutral)] }
        var chips = [TokenModel.chip(verdict(jwt, token))]
        if let end = jwt.expiresAt, end <= exchange.startedAt {
            chips.append(ChipModel(text: "expired", tone: .bad, chipIcon: "clock"))
        }
        return chips
    }

    private func verdict(_ jwt: Session.Held, _ token: String) -> Verdict {
        if jwt.algorithm?.lowercased() == "none" {
            return Verdict(word: .unsigned, reason: "Its algorithm is none.")
        }
        guard let contract = services.contract(ofBackend: exchange.backend, app: exchange.app)
        else { return Verdict(word: .unverified, reason: "No key is known for this backend.") }
        return services.backend.judge(token, contract: contract, workspace: exchange.workspace)
    }

    // MARK: Claims

    private func decoded(_ jwt: Session.Held) -> ExchangeModel.Decoded {
        var claims: [JSON.Member] = []
        if case .object(let members)? = jwt.claims { claims = members }
        return ExchangeModel.Decoded(
            headerFacts: FactModel.list(jwt.header),
            // A stranger's token may have any number of claims.
            claimFacts: claims.prefix(24).map(claim))
    }

    private func claim(_ member: JSON.Member) -> ExchangeModel.Claim {
        let text = member.value.said
        var meaning = ""
        var tone = ""
        switch member.name {
        case "sub": meaning = "the user"
        case "iss": meaning = "who signed it"
        case "aud": meaning = "whom it is for"
        case "iat", "nbf", "exp":
            guard let time = member.value.date else { break }
            meaning = Words.moment(time) + ", " + distance(time)
            if member.name == "exp", time <= exchange.startedAt { tone = "bad" }
        default: break
        }
        return ExchangeModel.Claim(
            fact: member.name, value: text.cut(to: 64), full: text, code: !text.contains("@"),
            meaning: meaning, tone: tone)
    }

    private func distance(_ time: Date) -> String {
        let seconds = exchange.startedAt.timeIntervalSince(time)
        return seconds >= 0
            ? "\(Words.span(seconds)) before this call" : "\(Words.span(-seconds)) after this call"
    }
}
