import Apps
import Backend
import Core
import FoundationEssentials
import Inspection
import Traffic
import Web

/// Builds the details of one mail.
struct MailDetailBuilder {
    let services: Services
    let mail: Mail
    let view: MailboxBuilder.View
    /// The list's query items, so that links preserve them.
    let listParameters: [(String, String?)]
    let now: Date
    let graph: EventGraph

    private var app: App? { services.appCatalog.app(withContract: mail.app) }

    func build() async throws -> MailboxModel.MailDetail {
        let digits = Array(mail.code ?? "")
        let hasHTML = !mail.html.isEmpty
        // The message view falls back to the text if the mail has no HTML.
        let showsText = view == .text || (view == .message && !hasHTML)
        return MailboxModel.MailDetail(
            glyph: GlyphModel(app, id: mail.app), appName: app?.name ?? mail.app,
            purpose: mail.purpose.capitalizedFirst, subject: mail.subject, to: mail.to,
            sentAt: mail.sentAt.iso8601, sentTime: Format.timeOfDay(mail.sentAt),
            sentAgo: Format.ago(mail.sentAt, now), anyCode: mail.code != nil, code: mail.code ?? "",
            digits: digits.enumerated().map { index, digit in
                .init(
                    digit: String(digit),
                    startsGroup: digits.count >= 6 && index * 2 == digits.count + digits.count % 2)
            }, linkURL: link, remaining: remaining, usageNote: usageNote,
            views: MailboxBuilder.View.allCases.map { other in
                .init(
                    id: other.rawValue, name: other.rawValue.capitalizedFirst,
                    href: Links.url(
                        Links.mail(mail.id), listParameters + [("view", other.rawValue)]),
                    current: other == view)
            }, htmlURL: view == .message && hasHTML ? Links.mailBody(mail.id) : nil,
            plainText: showsText ? mail.text : nil, anyMailHeaders: view == .headers,
            mailHeaders: view == .headers
                ? mail.headers.map { .init(headerName: $0.name, headerValue: $0.value) } : [],
            testCall: "GET "
                + Links.url(
                    Links.waitForMail,
                    [("to", mail.to), ("purpose", mail.purpose), ("timeout", "10")]),
            testResponse: testResponse, sendingExchange: try await sendingExchange(),
            eventChain: EventChainModel(
                graph, around: receivedEvent, roots: services.backendRootPaths(in: mail.workspace)))
    }

    /// The link, if it is an HTTP or HTTPS URL.
    private var link: String? { mail.link.flatMap { URLParts($0).isHTTPURL ? $0 : nil } }

    // MARK: Use

    private var remaining: CountdownModel? {
        guard mail.usedAt == nil, let end = mail.expiresAt, end > now else { return nil }
        var model = CountdownModel.until(
            end, from: mail.sentAt, named: mail.code == nil ? "Link" : "Code",
            testID: "mail.remaining", now: now)
        model.countdownSize = "mid"
        return model
    }

    private var usageNote: String? {
        guard remaining == nil else { return nil }
        if let used = mail.usedAt { return "Used \(Format.dateTime(used))" }
        guard let end = mail.expiresAt else {
            return mail.link == nil && mail.code == nil ? nil : "Single use, no expiry"
        }
        return "Expired \(Format.ago(end, now))"
    }

    // MARK: API equivalent

    private var testResponse: String {
        var members: [JSON.Member] = [.init("id", .string(mail.id))]
        if let code = mail.code { members.append(.init("code", .string(code))) }
        if let link = mail.link { members.append(.init("link", .string(link))) }
        members.append(.init("purpose", .string(mail.purpose)))
        if let end = mail.expiresAt { members.append(.init("expiresAt", .string(end.iso8601))) }
        let text = JSON.object(members).description
        return IndentedJSON.text(text) ?? text
    }

    /// The exchange that caused the mail; nil if it is no longer stored.
    private func sendingExchange() async throws -> ExchangeRowModel? {
        guard let cause = receivedEvent.flatMap(graph.cause), cause.kind == .exchangeEnded,
            let id = cause.subject,
            let exchange = try await services.exchanges.detail(id, in: mail.workspace)?.exchange
        else { return nil }
        return ExchangeRowModel(exchange, base: services.baseURL(of: exchange))
    }

    private var receivedEvent: Event? { graph.newestEvent([.mailReceived], subject: mail.id) }
}
