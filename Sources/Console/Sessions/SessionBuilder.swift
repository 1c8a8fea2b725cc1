import Apps
import Backend
import Core
import FoundationEssentials
import Inspection
import Simulator
import Templates
import Traffic
import Web

/// Builds the page of one session (`sessions/session`).
///
/// Parts, each a template `sessions/<name>`: `state`, `comparison`, `family`, `tokens`, `storage`,
/// `exchanges`, `status`.
struct SessionBuilder {
    let services: Services
    let session: Session
    /// Whether the session is on the requesting browser's device: only there can its items be
    /// edited.
    let isBrowserDevice: Bool
    /// The storage key whose value is shown unmasked.
    let revealed: (key: String, value: String)?

    private var pageURL: String { Links.session(session.id) }
    private var app: App? { services.appCatalog.app(session.app) }
    private var isLive: Bool { session.endedAt == nil }
    /// POST; nil if the app has no call that checks the token.
    private var probeAction: String? {
        app?.probeCall(for: session.backend).map { _ in Links.probeSession(session.id) }
    }

    /// Number of requests shown; the traffic page has all.
    private static let exchangeLimit = 8

    func build() async throws -> Page {
        let simulator = services.simulator
        let device = try await simulator.device(session.device, in: session.workspace)
        let sources = try await services.sessionSourcesReader.sources(of: session)
        let now = sources.now
        let history = try await simulator.history(ofSession: session.id, in: session.workspace)
        let archivedTokens = try await simulator.archivedTokens(
            ofSession: session.id, in: session.workspace)
        var query = try await services.exchangeQuery(of: session)
        query.keyset.limit = Self.exchangeLimit
        let exchanges = try await services.exchanges.list(query)
        let family = Family(
            session, history: history, generations: sources.generations,
            sessionState: sources.serverState)
        let statusText = SessionStatusText(sources: sources, canProbe: probeAction != nil)
        let systemNow = services.world.now()
        let unexpiredTokens = UnexpiredToken.all(sources, archived: archivedTokens) {
            simulator.lastProbe(ofSession: session.id, token: $0)
        }
        return Page(
            title: session.userLabel, navItem: "sessions", url: pageURL,
            model: [
                "glyph": GlyphModel(app, id: session.app), "user": session.userLabel,
                "stateChip": statusText.chip,
                "locationText": "\(app?.name ?? session.app) on "
                    + (device?.label ?? "a deleted device"),
                "deviceURL": device.map { StudioLinks(app: session.app, device: $0.id).page },
                "probeAction": probeAction,
                "refreshAction": isLive && session.refreshToken != nil
                    ? Links.refreshSession(session.id) : nil,
                "signOutURL": isLive ? Links.signOut(session.id) : nil,
                "comparison": SessionComparison(sources: sources).model,
                "family": self.family(family, sources), "tokenCards": try await tokenCards(sources),
                "compareURL": compareURL(archivedTokens, sources),
                "storage": TemplateModel.storage(
                    try await simulator.storageItems(session.instance),
                    links: isLive ? links : nil, now: now),
                "trafficURL": Links.url(Links.traffic, [("session", session.id)]),
                "trafficText": "All \(Format.count(exchanges.total))",
                "exchanges": exchanges.items.map {
                    ExchangeRowModel($0, base: services.baseURL(of: $0))
                }, "statusTitle": statusText.title, "statusText": statusText.text,
                "endedText": sources.hasEnded ? statusText.text : nil,
                "remaining": statusText.remaining,
                "probe": sources.lastResponse?.model(hasEnded: sources.hasEnded, now: systemNow),
                "unexpiredTokens": UnexpiredToken.model(
                    unexpiredTokens, hasEnded: sources.hasEnded, now: now, systemNow: systemNow),
                "details": details(device, sources.serverState),
                "history": Self.history(history, family, sources.serverState),
            ])
    }

    // MARK: Tokens and storage

    private var links: StoredItemLinks {
        StoredItemLinks(
            instance: session.instance,
            studio: StudioLinks(app: session.app, device: session.device), pageURL: pageURL,
            revealed: revealed,
            isEditable: isBrowserDevice)
    }

    private func family(_ family: Family, _ sources: SessionSources) -> TemplateModel {
        family.model(
            of: session, id: sources.serverState?.session?.id, generations: sources.generations,
            canRefresh: sources.hasRefreshToken,
            hasRefreshCall: app?.session.refreshCall.map {
                !(app?.isCallMissing($0, backend: session.backend) ?? true)
            } ?? false)
    }

    private func tokenCards(_ sources: SessionSources) async throws -> [TemplateModel] {
        TokenCard.models(
            of: session, testID: "session.token",
            verdict: try await services.signatureVerifier.verdict(session),
            lineage: sources.lineage, links: links,
            key: { isLive ? app?.storageKey(holding: $0)?.key : nil }, now: sources.now)
    }

    /// Compares the last two access tokens, of which the current one need not be archived.
    private func compareURL(_ archivedTokens: [ArchivedToken], _ sources: SessionSources)
        -> String?
    {
        let numbers = archivedTokens.filter { $0.kind == .access && $0.origin == .device }
            .map(\.number).suffix(2)
        guard let last = numbers.last else { return nil }
        if sources.hasAccessToken { return Links.tokenComparison(session.id, from: last, to: nil) }
        return numbers.count > 1
            ? Links.tokenComparison(session.id, from: numbers.first ?? last, to: last) : nil
    }

    // MARK: Details and history

    /// What the comparison does not show.
    private func details(_ device: Device?, _ server: ServerSessionState?) -> [DetailModel] {
        func time(_ label: String, _ date: Date?) -> DetailModel? {
            date.map { DetailModel(label, Format.dateTime($0)) }
        }
        let backend = app?.backends.first { $0.id == session.backend }?.label
        let account = server?.session == nil ? nil : server?.account
        let authentication = session.accessToken?.claims.flatMap(TokenAuthentication.init)
        let details: [DetailModel?] = [
            DetailModel("Session", session.id, isCode: true),
            account.map { DetailModel("Account", $0.email ?? $0.id, url: Links.account($0.id)) },
            DetailModel(
                "Device", device?.label ?? session.device,
                url: device.map { StudioLinks(app: session.app, device: $0.id).page }),
            DetailModel("Backend", backend ?? session.backend),
            authentication?.provider.map { DetailModel("Provider", $0) },
            authentication?.methods.joined(separator: ", ").nonEmpty.map {
                DetailModel("Methods", $0)
            },
            authentication?.assuranceLevel.map { DetailModel("Assurance level", $0) },
            authentication?.secondFactor.map { DetailModel("Second factor", $0) },
            time("Signed in", session.createdAt), time("Refreshed", session.refreshedAt),
            time("Ended", session.endedAt),
        ]
        return details.compactMap(\.self)
    }

    /// The device's entries, with what the server did on its own, the newest first. Refresh tests
    /// have the texts of the family, which names the generations.
    private static func history(
        _ entries: [SessionHistoryEntry], _ family: Family, _ state: ServerSessionState?
    ) -> [TemplateModel] {
        let tests = Dictionary(
            family.branches.map { ($0.exchange, $0) }, uniquingKeysWith: { first, _ in first })
        var lines: [(at: Date, text: String, tone: String, exchange: String?, isTest: Bool)] =
            entries.map {
                let test = $0.kind.contains(".") ? tests[$0.exchange] : nil
                return ($0.at, test?.text ?? $0.title, tone($0.kind), $0.exchange, test != nil)
            }
        if let serverSession = state?.session, let at = serverSession.revokedAt?.date {
            let reason = serverSession.revocationReason.map { ": \($0)" } ?? ""
            lines.append((at, "Ended by the server\(reason)", "bad", nil, false))
        }
        if let at = state?.account?.emailVerifiedAt?.date, let first = entries.first?.at,
            at >= first
        {
            lines.append((at, "Email verified on the server", "", nil, false))
        }
        if let at = state?.account?.disabledAt?.date {
            lines.append((at, "Account disabled on the server", "bad", nil, false))
        }
        return lines.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
            .reversed().map { index, line in
                [
                    "id": "h\(index)", "at": line.at.iso8601, "time": Format.timeOfDay(line.at),
                    "text": line.text, "tone": line.tone,
                    "exchangeURL": line.exchange.map { Links.exchange($0) },
                    "isTest": line.isTest,
                ]
            }
    }

    private static func tone(_ kind: String) -> String {
        if kind.hasSuffix(".rejected") { return "bad" }
        return switch kind {
        case "revoked": "bad"
        case "expiredManually", "edited": "warn"
        default: ""
        }
    }
}

extension SessionComparison {
    /// The table of device, token and server (`sessions/comparison`).
    var model: TemplateModel {
        let fields = fields
        let discrepancies = fields.compactMap(\.discrepancy)
        let checkedAt = sources.lastResponse.map { "Checked \(Format.dateTime($0.at))" }
        // Lists do not count all of them.
        let uncounted = discrepancies.count { !$0.isCounted }
        let uncountedText =
            switch uncounted {
            case 0: ""
            case discrepancies.count: ", not counted in lists"
            default: ", \(uncounted) not counted in lists"
            }
        return [
            "summaryText": discrepancies.isEmpty
                ? sources.hasEnded ? "No mismatches" : "All in sync"
                : "\(discrepancies.count) of \(fields.count) out of sync" + uncountedText,
            "hasDiscrepancies": !discrepancies.isEmpty,
            "deviceNote": sources.isLive ? "Now" : "When it ended",
            "serverNote": sources.serverState != nil
                ? "Checked just now" : checkedAt ?? "Not checked", "rows": fields.map(\.model),
        ]
    }
}

extension ComparedField {
    /// A row of the table.
    var model: TemplateModel {
        let sources: [(Discrepancy.Source, SourceValue)] = [
            (.device, deviceValue), (.token, tokenValue), (.server, serverValue),
        ]
        // The only value that a phone shows of an agreeing field: the one whose display text has
        // more than is compared, if there is one.
        let present = sources.filter { $0.1.content != nil }
        let compactSource =
            (present.last { $0.1.displayText != $0.1.content?.compared } ?? present.last)?.0
        return [
            "fieldID": id, "name": name,
            "cells": sources.map { source, value -> TemplateModel in
                let text = value.displayText
                let isCode = value.content?.isCode ?? false
                return [
                    "sourceName": source.label, "sourceID": source.rawValue,
                    "text": isCode ? Format.truncatedMiddle(text, 22) : text, "fullText": text,
                    "isCode": isCode, "isOutlier": discrepancy?.outlier == source,
                    "isDim": value.content == nil, "isCompactValue": compactSource == source,
                ]
            }, "kind": discrepancy != nil ? "mismatch" : isAgreed ? "agreed" : "single",
            "agrees": isAgreed, "explanation": discrepancy.map { "\($0.explanation) \($0.fix)" },
            "discrepancyKind": discrepancy?.kind.rawValue,
        ]
    }
}
