import Apps
import Backend
import FoundationEssentials
import Simulator
import Traffic
import Web

/// Builds the card of a token in an exchange: signature verdict, expiry at the time of the call,
/// header and claims.
struct TokenCardBuilder {
    let services: Services
    let exchange: Exchange
    /// The unmasked token; nil if it is not available.
    let token: String?
    /// First 6, an ellipsis, last 4 characters.
    let masked: String

    func build() -> ExchangeModel.TokenCard {
        let ends = masked.split(separator: "…", maxSplits: 1, omittingEmptySubsequences: false)
        let summary = token.map { Session.TokenSummary(decoding: $0, at: exchange.startedAt) }
        let jwt = summary.flatMap { $0.isJWT ? $0 : nil }
        return ExchangeModel.TokenCard(
            tokenPrefix: ends.first.map(String.init) ?? "",
            tokenSuffix: ends.count > 1 ? String(ends[1]) : "",
            tokenSize: summary.map { Format.size($0.byteCount) } ?? "", verdicts: verdicts(jwt),
            decoded: jwt.map(decoded))
    }

    // MARK: Verdicts

    private func verdicts(_ jwt: Session.TokenSummary?) -> [ChipModel] {
        guard let jwt, let token else { return [ChipModel(text: "Opaque", tone: .neutral)] }
        var chips = [TokenModel.verdictChip(verdict(jwt, token))]
        if let end = jwt.expiresAt, end <= exchange.startedAt {
            chips.append(ChipModel(text: "Expired", tone: .bad, chipIcon: "clock"))
        }
        return chips
    }

    private func verdict(_ jwt: Session.TokenSummary, _ token: String) -> SignatureVerification {
        if jwt.algorithm?.lowercased() == "none" {
            return SignatureVerification(status: .unsigned, reason: "Algorithm is none.")
        }
        guard
            let contract = services.appCatalog.contract(
                ofBackend: exchange.backend, app: exchange.app)
        else {
            return SignatureVerification(
                status: .unverified, reason: "No key for this backend.")
        }
        return services.backend.verifySignature(
            token, contract: contract, workspace: exchange.workspace)
    }

    // MARK: Claims

    private func decoded(_ jwt: Session.TokenSummary) -> ExchangeModel.DecodedToken {
        var claims: [JSON.Member] = []
        if case .object(let members)? = jwt.claims { claims = members }
        return ExchangeModel.DecodedToken(
            tokenHeaders: DetailModel.list(jwt.header),
            // A foreign token may have any number of claims.
            tokenClaims: claims.prefix(24).map(claim))
    }

    private func claim(_ member: JSON.Member) -> ExchangeModel.Claim {
        let text = member.value.displayText
        var meaning = ""
        var tone = ""
        switch member.name {
        case "sub": meaning = "User"
        case "iss": meaning = "Issuer"
        case "aud": meaning = "Audience"
        case "iat", "nbf", "exp":
            guard let time = member.value.dateFromSeconds else { break }
            meaning =
                Format.dateTime(time) + ", " + timeOffset(time, isExpiry: member.name == "exp")
            if member.name == "exp", time <= exchange.startedAt { tone = "bad" }
        default: break
        }
        return ExchangeModel.Claim(
            claimName: member.name, value: text.truncated(to: 64), fullValue: text,
            isCode: !text.contains("@"),
            meaning: meaning, tone: tone)
    }

    private func timeOffset(_ time: Date, isExpiry: Bool) -> String {
        let seconds = exchange.startedAt.timeIntervalSince(time)
        return seconds >= 0
            ? "\(isExpiry ? "expired " : "")\(Format.duration(seconds)) before this request"
            : "\(isExpiry ? "expires " : "")\(Format.duration(-seconds)) after this request"
    }
}
