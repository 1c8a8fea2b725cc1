import FoundationEssentials
import Inspection
import Simulator
import Templates
import Traffic
import Web

/// The tokens of a recorded exchange as cards (`traffic/tokencard`), its JWTs decoded.
///
/// Only header and claims of a token are displayed, never its signature.
struct RecordedTokens {
    let services: Services
    let detail: ExchangeDetail
    private var exchange: Exchange { detail.exchange }
    /// Unsealed tokens by index.
    let unsealedTokens: [Int: String]
    /// The indexes of tokens that cannot be unsealed.
    private let unreadableTokens: Set<Int>

    /// Unseals the tokens of `detail`, to decode those that are JWTs.
    init(services: Services, detail: ExchangeDetail) async throws {
        self.services = services
        self.detail = detail
        var unsealed: [Int: String] = [:]
        var unreadable: Set<Int> = []
        for index in detail.tokens.indices.prefix(Self.maxTokens) {
            do {
                unsealed[index] = try await services.exchanges.reveal(
                    token: index, of: detail.exchange.id, in: detail.exchange.workspace)
            } catch let problem as Problem where problem.code == Problem.sealedTokenCode {
                // It is shown masked, with the reason on its card.
                unreadable.insert(index)
            }
        }
        self.unsealedTokens = unsealed
        self.unreadableTokens = unreadable
    }

    /// More than any usual message has.
    private static let maxTokens = 16

    /// The card of token `index`; `location` is its position in the message.
    func card(_ index: Int, at location: String = "") -> TemplateModel {
        let token = unsealedTokens[index]
        let ends = detail.tokens[index].split(
            separator: "…", maxSplits: 1, omittingEmptySubsequences: false)
        let summary = token.map(summary)
        let jwt = summary.flatMap { $0.isJWT ? $0 : nil }
        return [
            "location": location, "tokenURL": Links.exchangeToken(exchange.id, index),
            "tokenPrefix": ends.first.map(String.init),
            "tokenSuffix": ends.count > 1 ? String(ends[1]) : "",
            "tokenSize": summary.map { Format.size($0.byteCount) },
            "verdicts": unreadableTokens.contains(index)
                ? [ChipModel(text: "Encrypted with another key", tone: .bad)]
                : verdicts(jwt, token), "decoded": jwt.map(decoded),
        ]
    }

    /// The indexes of the tokens in `text`, in order, without repetitions.
    func tokenIndexes(in text: String) -> [Int] {
        var indexes: [Int] = []
        var remaining = text[...]
        while let start = remaining.firstRange(of: "‹token:") {
            remaining = remaining[start.upperBound...]
            let digits = remaining.prefix { $0.isASCII && $0.isNumber }
            if let index = Int(digits), detail.tokens.indices.contains(index),
                !indexes.contains(index)
            {
                indexes.append(index)
            }
        }
        return indexes
    }

    /// The cards of the JWTs in `text`, each with the JSON Pointer to its position.
    func cards(inBody text: String) -> [TemplateModel] {
        let locations =
            (try? JSONReader.read(Array(text.utf8))).map { Self.pointers($0, "") } ?? [:]
        return tokenIndexes(in: text).filter(isJWT).map { index in
            card(index, at: locations["‹token:\(index)›"] ?? "In the body")
        }
    }

    func cards(inURL url: String) -> [TemplateModel] {
        tokenIndexes(in: url).filter(isJWT).map { card($0, at: "In the URL") }
    }

    func isJWT(_ index: Int) -> Bool { unsealedTokens[index].map { summary($0).isJWT } ?? false }

    private func summary(_ token: String) -> Session.TokenSummary {
        Session.TokenSummary(decoding: token, at: exchange.startedAt)
    }

    /// Maps the strings of a document to their JSON Pointers.
    private static func pointers(_ json: JSON, _ pointer: String) -> [String: String] {
        switch json {
        case .string(let text): return [text: pointer]
        case .object(let members):
            return members.reduce(into: [:]) { all, member in
                all.merge(pointers(member.value, pointer + "/" + member.name)) { first, _ in first }
            }
        case .array(let elements):
            return elements.enumerated().reduce(into: [:]) { all, element in
                all.merge(pointers(element.element, pointer + "/\(element.offset)")) { first, _ in
                    first
                }
            }
        default: return [:]
        }
    }
}

/// Signature verdict, expiry at the time of the call, header and claims of one token.
extension RecordedTokens {
    // MARK: Verdicts

    private func verdicts(_ jwt: Session.TokenSummary?, _ token: String?) -> [ChipModel] {
        guard let jwt, let token else { return [ChipModel(text: "Opaque", tone: .neutral)] }
        let verdict = services.signatureVerifier.verdict(on: token, jwt, of: exchange)
        var chips = [TokenCard.verdictChip(verdict)]
        if let end = jwt.expiresAt, end <= exchange.startedAt {
            chips.append(.expired)
        }
        return chips
    }

    // MARK: Claims

    private func decoded(_ jwt: Session.TokenSummary) -> TemplateModel {
        [
            "tokenHeaders": DetailModel.list(jwt.header),
            // A foreign token may have any number of claims.
            "tokenClaims": (jwt.claims?.members ?? []).prefix(24).map(claim),
        ]
    }

    private func claim(_ member: JSON.Member) -> TemplateModel {
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
        return [
            "claimName": member.name, "value": text.truncated(to: 64), "fullValue": text,
            "isCode": !text.contains("@"), "meaning": meaning, "tone": tone,
        ]
    }

    private func timeOffset(_ time: Date, isExpiry: Bool) -> String {
        let seconds = exchange.startedAt.timeIntervalSince(time)
        return seconds >= 0
            ? "\(isExpiry ? "expired " : "")\(Format.duration(seconds)) before this request"
            : "\(isExpiry ? "expires " : "")\(Format.duration(-seconds)) after this request"
    }
}
