import Backend
import FoundationEssentials
import Simulator
import Traffic
import Web

/// The JWTs of a recorded message, taken apart where they stand.
///
/// Only what is shown is unsealed: of a token its header and claims, never
/// its signature.
struct TokenCards {
    let services: Services
    let detail: ExchangeDetail
    /// What was unsealed already, by number.
    let unsealedTokens: [Int: String]
    /// Those that cannot be unsealed.
    private let unreadableTokens: Set<Int>

    /// Opens every token of `detail`, to take those apart that are JWTs.
    init(services: Services, detail: ExchangeDetail) async throws {
        self.services = services
        self.detail = detail
        var opened: [Int: String] = [:]
        var closed: Set<Int> = []
        for index in detail.tokens.indices.prefix(Self.maxTokens) {
            do {
                opened[index] = try await services.exchanges.reveal(
                    token: index, of: detail.exchange.id, in: detail.exchange.workspace)
            } catch let problem as Problem where problem.code == Problem.sealedTokenCode {
                // It is shown masked, and its card says why.
                closed.insert(index)
            }
        }
        self.unsealedTokens = opened
        self.unreadableTokens = closed
    }

    /// A handful is usual; nobody reads more.
    private static let maxTokens = 16

    /// The card of token `index`; `place` is where it stands.
    func card(_ index: Int, at place: String = "") -> ExchangeModel.TokenCard {
        var card = TokenCardBuilder(
            services: services, exchange: detail.exchange, token: unsealedTokens[index],
            masked: detail.tokens[index]
        ).build()
        card.location = place
        if unreadableTokens.contains(index) {
            card.verdicts = [ChipModel(text: "sealed with another key", tone: .bad)]
        }
        card.tokenURL = Links.exchange(detail.exchange.id, "tokens/\(index)")
        return card
    }

    /// The numbers of the tokens in `text`, in order, each once.
    func tokenIndexes(in text: String) -> [Int] {
        var found: [Int] = []
        var rest = text[...]
        while let start = rest.firstRange(of: "‹token:") {
            rest = rest[start.upperBound...]
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            if let index = Int(digits), detail.tokens.indices.contains(index),
                !found.contains(index)
            {
                found.append(index)
            }
        }
        return found
    }

    /// Those of `text` that are JWTs, each with its member's name.
    func cards(inBody text: String) -> [ExchangeModel.TokenCard] {
        let places = (try? JSONReader.read(Array(text.utf8))).map { Self.pointers($0, "") } ?? [:]
        return tokenIndexes(in: text).filter(isJWT).map { index in
            card(index, at: places["‹token:\(index)›"] ?? "in the body")
        }
    }

    func cards(inURL url: String) -> [ExchangeModel.TokenCard] {
        tokenIndexes(in: url).filter(isJWT).map { card($0, at: "in the address") }
    }

    func isJWT(_ index: Int) -> Bool {
        unsealedTokens[index].map {
            Session.TokenSummary(decoding: $0, at: detail.exchange.startedAt).isJWT
        }
            ?? false
    }

    /// The pointers of a document's texts.
    private static func pointers(_ json: JSON, _ pointer: String) -> [String: String] {
        switch json {
        case .string(let text): return [text: pointer]
        case .object(let members):
            return members.reduce(into: [:]) { all, member in
                all.merge(pointers(member.value, pointer + "/" + member.name)) { one, _ in one }
            }
        case .array(let elements):
            return elements.enumerated().reduce(into: [:]) { all, element in
                all.merge(pointers(element.element, pointer + "/\(element.offset)")) { one, _ in one
                }
            }
        default: return [:]
        }
    }
}
