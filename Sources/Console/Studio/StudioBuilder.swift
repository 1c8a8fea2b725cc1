import Apps
import Backend
import Core
import FoundationEssentials
import Inspection
import Simulator
import Traffic
import Web
import Workspaces

/// Builds the model of the studio of one app on one device.
struct StudioBuilder {
    let services: Services
    let instance: AppInstance
    /// The storage key whose unmasked value is shown.
    let revealed: (key: String, value: String)?

    private var studioURL: String { Links.studio(instance.app) }

    func build() async throws -> Page<StudioModel> {
        let status = try await services.simulator.status(instance)
        let now = services.now(in: instance.workspace)
        let app = status.app
        let hasStarted = !status.visits.isEmpty
        let backend = app.backends.first { $0.id == status.backend }
        let device = status.device
        let display = device.display
        let size = DeviceSizes.size(display.size) ?? DeviceSizes.all[0]
        let screenLinks = ScreenLinks(app: app.id)
        let isReal = if case .url? = backend?.base { true } else { false }
        return Page(
            "\(app.name) studio", navItem: "studio", url: studioURL,
            needsStudioScript: true,
            clockNote: isReal ? services.clockNote(of: app, status.backend) : nil,
            StudioModel(
                appID: app.id, timelineURL: Links.timeline(app.id), appName: app.name,
                deviceID: device.id, glow: app.look.glow,
                appSwitch: AppSwitchModel("studio", app.name, on: app, services) {
                    Links.studio($0)
                }, backendAction: Links.studioBackend(app.id),
                backends: app.backends.map {
                    .init(id: $0.id, name: $0.label, chosen: $0.id == status.backend)
                }, backendName: backend?.label ?? status.backend, base: shortBase(status.baseURL),
                fullBase: status.baseURL,
                backendEditURL: isReal ? Links.studioBackend(app.id) : nil,
                proxyURL: Links.studioProxy(app.id),
                expireAction: status.session?.accessToken.flatMap { summary in
                    summary.isJWT ? Links.expireToken(app.id) : nil
                }, relaunchAction: Links.relaunch(app.id), killAction: Links.kill(app.id),
                killNextAction: Links.killNext(app.id), isKillArmed: status.willKillOnNextSubmit,
                clearStorageURL: Links.clearStorage(app.id),
                screenURL: hasStarted ? screenLinks.screenURL(status.screen) : screenLinks.startURL,
                phoneBase: screenLinks.startURL, sizeID: size.id, sizeName: size.label,
                orientation: display.orientation.rawValue,
                statusBar: app.resolvedAppearance(for: display.appearance).statusBarClass,
                deviceDisplayKey: deviceDisplayKey(of: device),
                deviceAction: Links.studioDevice(app.id),
                sizes: DeviceSizes.all.map {
                    .init(id: $0.id, name: $0.label, chosen: $0.id == size.id)
                }, builds: choices(device.build), biometrics: biometricChoices(device),
                orientations: choices(display.orientation),
                appearances: choices(display.appearance),
                textSizes: textSizeChoices(display.textSize), faultPresets: faultPresets(app),
                screenGraph: screenGraph(status, now), tokens: try await tokens(status, now),
                storage: StorageModel(
                    try await services.simulator.storageItems(instance), links: links,
                    now: now), recentExchanges: try await recentExchanges(status),
                recentMail: try await recentMail(now: now),
                timeline: TimelineBuilder(
                    timeline: services.timeline(of: instance), app: app.id, base: status.baseURL
                ).build()))
    }

    /// Without scheme and API path: `127.0.0.1:7071/main/atlas`.
    private func shortBase(_ base: String) -> String {
        let parts = URLParts(base)
        let location = (parts.authority ?? "") + parts.path
        return location.firstRange(of: "/api").map { String(location[..<$0.lowerBound]) }
            ?? String(location)
    }

    /// The presets that the app's backend supports; active if added for this app on this device.
    private func faultPresets(_ app: App) -> [FaultsModel.PresetRow] {
        let validator = FaultValidator(services: services, workspace: instance.workspace)
        let active = services.faults.list(in: instance.workspace).filter {
            $0.draft.app == instance.app && $0.draft.device == instance.device
        }
        return Fault.presets.filter { preset in
            preset.drafts.contains { validator.supports($0.kind, app) }
        }.map { .init($0, active: active) }
    }

    // MARK: Sections

    private func screenGraph(_ status: AppStatus, _ now: Date) -> ScreenGraphModel {
        var graph = ScreenGraphModel(status, now: now)
        graph.sinceURL = newestEventURL(.screenShown, of: status.screen)
        return graph
    }

    private var links: StoredItemLinks {
        StoredItemLinks(
            instance: instance, pageURL: studioURL, revealed: revealed,
            eventURL: { newestEventURL(.storageWritten, of: $0) })
    }

    private func tokens(_ status: AppStatus, _ now: Date) async throws -> StudioModel.TokensModel {
        guard let session = status.session, session.endedAt == nil else {
            let isSeeded =
                services.appCatalog.contract(ofBackend: status.backend, app: instance.app) != nil
            return .init(
                hasCards: false, tokenCards: [],
                emptyText: "Not signed in. Sign in on the device"
                    + (isSeeded ? ", or as a test user." : "."), refreshAction: nil,
                sessionURL: nil, seedAction: isSeeded ? Links.seed(instance.app) : nil,
                seeds: Seed.State.allCases.filter(\.isSignedIn).map {
                    .init(id: $0.rawValue, name: $0.label, chosen: $0 == .signedIn)
                })
        }
        let cards = TokenModel.cards(
            of: session, testID: "studio.token",
            verdict: try await services.signatureVerifier.verdict(session), links: links,
            key: { status.app.storageKey(holding: $0)?.key }, now: now)
        return .init(
            hasCards: !cards.isEmpty, tokenCards: cards, emptyText: "",
            refreshAction: session.refreshToken == nil ? nil : Links.refreshToken(instance.app),
            sessionURL: Links.session(session.id), serverMismatch: try await serverMismatch(session)
        )
    }

    /// A mismatch between the server and the session on the device, which has not noticed yet.
    private func serverMismatch(_ session: Session) async throws -> StudioModel.ServerMismatch? {
        let sources = try await services.sessionSourcesReader.sources(of: session)
        guard let discrepancy = SessionComparison(sources: sources).state.discrepancy,
            discrepancy.isCounted
        else { return nil }
        let statusText = SessionStatusText(sources, canProbe: true)
        return .init(
            chip: ChipModel(text: statusText.title, tone: .bad, chipIcon: "cross"),
            mismatchReason: discrepancy.explanation)
    }

    private func recentExchanges(_ status: AppStatus) async throws -> StudioModel.RecentExchanges {
        var query = ExchangeQuery(workspace: instance.workspace)
        query.app = instance.app
        query.device = instance.device
        query.limit = 4
        let page = try await services.exchanges.list(query)
        return .init(
            trafficURL: Links.url(Links.traffic, [("app", instance.app)]),
            anyExchanges: !page.items.isEmpty, emptyText: page.items.isEmpty ? noExchangesText : "",
            exchanges: page.items.map { ExchangeRowModel($0, base: status.baseURL) })
    }

    private var noExchangesText: String {
        let events = services.hub.events(in: instance.workspace)
        guard
            events.contains(where: {
                $0.kind == .exchangeEnded && $0.app == instance.app && $0.device == instance.device
            })
        else { return "No requests yet. Submit a form on the device." }
        return "Requests were cleared. New ones are recorded."
    }

    private func recentMail(now: Date) async throws -> StudioModel.RecentMail {
        let contract = services.appCatalog.contract(ofApp: instance.app)
        let page = try await services.backend.mailbox.list(
            workspace: instance.workspace, app: contract, limit: 2)
        return .init(
            noMailText: "No messages. They appear when the backend sends one.",
            mails: page.items.map { mail in
                .init(
                    id: mail.id, href: Links.mail(mail.id), subject: mail.subject, to: mail.to,
                    usageChip: ChipModel(usageOf: mail, now: now),
                    sentText: Format.ago(mail.sentAt, now), sentAt: mail.sentAt.iso8601)
            })
    }

    /// The newest event of a kind about `subject` in this app instance.
    private func newestEventURL(_ kind: Event.Kind, of subject: String) -> String? {
        services.hub.events(in: instance.workspace).last {
            $0.kind == kind && $0.subject == subject && $0.app == instance.app
                && $0.device == instance.device
        }.map { Links.event($0.id) }
    }
}
