import Backend
import FoundationEssentials
import Simulator
import Traffic
import Web

/// Decodes the JWTs of a recorded message.
///
/// Only header and claims of a token are displayed, never its signature.
struct TokenCards {
    let services: Services
    let detail: ExchangeDetail
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
    func card(_ index: Int, at location: String = "") -> ExchangeModel.TokenCard {
        var card = TokenCardBuilder(
            services: services, exchange: detail.exchange, token: unsealedTokens[index],
            masked: detail.tokens[index]
        ).build()
        card.location = location
        if unreadableTokens.contains(index) {
            card.verdicts = [ChipModel(text: "Encrypted with another key", tone: .bad)]
        }
        card.tokenURL = Links.exchange(detail.exchange.id, "tokens/\(index)")
        return card
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
    func cards(inBody text: String) -> [ExchangeModel.TokenCard] {
        let locations =
            (try? JSONReader.read(Array(text.utf8))).map { Self.pointers($0, "") } ?? [:]
        return tokenIndexes(in: text).filter(isJWT).map { index in
            card(index, at: locations["‹token:\(index)›"] ?? "In the body")
        }
    }

    func cards(inURL url: String) -> [ExchangeModel.TokenCard] {
        tokenIndexes(in: url).filter(isJWT).map { card($0, at: "In the URL") }
    }

    func isJWT(_ index: Int) -> Bool {
        unsealedTokens[index].map {
            Session.TokenSummary(decoding: $0, at: detail.exchange.startedAt).isJWT
        }
            ?? false
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
