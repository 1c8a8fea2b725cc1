import Apps
import Backend
import Core
import FoundationEssentials
import Inspection
import Simulator
import Templates
import Traffic
import Web
import Workspaces

/// Builds the studio of one app on one device (`studio/studio`).
///
/// Parts, each a template `studio/<name>`: `actions`, `device`, `kills`, `state` (`screenGraph`),
/// `tokens`, `storage`, `exchanges`, `mail` (`mails`), `log`, `timeline`. What only one of them needs is
/// deferred.
struct StudioBuilder {
    let services: Services
    let target: StudioTarget
    /// The storage key whose unmasked value is shown.
    let revealed: (key: String, value: String)?

    private var instance: AppInstance { target.instance }
    private var links: StudioLinks { target.links }

    func build() async throws -> Page {
        // Read before the state: what changes meanwhile has a later event.
        let lastEventID = services.hub.lastID(in: instance.workspace)
        let second = Int(services.world.now().timeIntervalSince1970)
        let status = try await services.simulator.status(instance)
        let now = services.now(in: instance.workspace)
        let app = status.app
        let backend = status.chosenBackend
        let device = status.device
        let display = device.display
        let size = DeviceSizes.size(display.size) ?? DeviceSizes.all[0]
        let screenLinks = ScreenLinks(app: app.id, device: links.device)
        let isReal = if case .url? = backend?.base { true } else { false }
        let model: TemplateModel = [
            "appID": app.id, "appName": app.name, "skeleton": GlyphModel(app),
            "deviceID": device.id,
            "deviceName": device.label, "glow": app.look.glow,
            "links": pageLinks(status, hasRealBackend: isReal),
            "backendName": backend?.label ?? status.backend,
            "base": shortBase(status.baseURL), "fullBase": status.baseURL,
            "isKillArmed": status.willKillOnNextSubmit,
            "isInBackground": status.isInBackground,
            "linkedScreen": status.linkedScreen,
            // The device's current screen, so that reloading the page is no launch.
            "screenURL": status.visits.isEmpty
                ? screenLinks.startURL : screenLinks.screenURL(status.screen),
            "phoneBase": screenLinks.startURL, "sizeID": size.id, "sizeName": size.label,
            "orientation": display.orientation.rawValue,
            "statusBar": app.resolvedAppearance(for: display.appearance).statusBarClass,
            "deviceDisplayKey": deviceDisplayKey(of: device), "studioURL": links.page,
            "hasSecond": target.secondDevice != nil, "hasLog": backend?.hasDebugLog == true,
        ]
        return Page(
            title: "\(app.name) studio", navItem: "studio", url: links.page,
            needsStudioScript: true,
            clockNote: isReal ? services.clockNote(of: app, status.backend) : nil,
            lastEventID: lastEventID,
            // A revealed value is shown to one browser; times are shown to the second.
            sharedPartsKey: revealed == nil
                ? [instance.workspace, instance.device, "\(lastEventID)", "\(second)"] : nil,
            model:
                model.deferring("appSwitch") {
                    services.appSwitch("studio", app.name, on: app) {
                        StudioLinks(
                            app: $0, device: links.device, secondDevice: links.secondDevice
                        ).page
                    }
                }.deferring("deviceSwitch") {
                    try await DeviceSwitch(services: services, target: target).model()
                }.deferring("second") {
                    try await secondDevice()
                }.deferring("backends") {
                    app.backends.map {
                        ChoiceModel(value: $0.id, label: $0.label, chosen: $0.id == status.backend)
                    }
                }.deferring("choices") {
                    deviceChoices(device, size)
                }.deferring("faultPresets") {
                    faultPresets(app)
                }.deferring("screenGraph") {
                    status.model(
                        of: services.screenGraph(of: app), now: now,
                        sinceURL: newestEventURL(.screenShown, of: status.screen))
                }.deferring("tokens") {
                    try await tokens(status, now)
                }.deferring("storage") {
                    TemplateModel.storage(
                        try await services.simulator.storageItems(instance), links: itemLinks,
                        now: now)
                }.deferring("exchanges") {
                    try await recentExchanges(status)
                }.deferring("recording") {
                    services.recordingModel(
                        in: instance.workspace, backURL: Links.studio(instance.app))
                }.deferring("noExchangesText") {
                    noExchangesText
                }.deferring("mails") {
                    try await recentMail(now)
                }.deferring("log") {
                    services.appLog(of: instance, status, limit: 60)?.suffix(20).map(\.self)
                }.deferring("timeline") {
                    TimelineModel(
                        services.timeline(of: instance, base: status.baseURL, limit: 160),
                        links: links)
                })
    }

    private func pageLinks(_ status: AppStatus, hasRealBackend: Bool) -> TemplateModel {
        let canExpire = status.session?.accessToken?.isJWT == true
        return [
            "backend": links(Links.studioBackend), "proxy": links(Links.studioProxy),
            "editBackend": hasRealBackend ? links(Links.studioBackend) : nil,
            "expire": canExpire ? links(Links.expireToken) : nil,
            "relaunch": links(Links.relaunch), "kill": links(Links.kill),
            "killNext": links(Links.killNext), "background": links(Links.background),
            "foreground": links(Links.foreground), "openLink": links(Links.openLink),
            "clearStorage": links(Links.clearStorage),
            "device": links(Links.studioDevice), "timeline": links(Links.timeline),
            "log": links(Links.appLog),
            "traffic": Links.url(
                Links.traffic, [("app", instance.app), ("device", links.device)]),
        ]
    }

    /// Without scheme and API path: `127.0.0.1:7071/main/atlas`.
    private func shortBase(_ base: String) -> String {
        let parts = URLParts(base)
        let location = (parts.authority ?? "") + parts.path
        return location.firstRange(of: "/api").map { String(location[..<$0.lowerBound]) }
            ?? String(location)
    }

    /// The presets that the app's backend supports; active if added for this app on this device.
    private func faultPresets(_ app: App) -> [TemplateModel] {
        let validator = FaultValidator(services: services, workspace: instance.workspace)
        let active = services.faults.list(in: instance.workspace).filter {
            $0.draft.app == instance.app && $0.draft.device == instance.device
        }
        return Fault.presets.filter { preset in
            preset.drafts.contains { validator.supports($0.kind, app) }
        }.map { $0.model(active: active) }
    }

    // MARK: Sections

    private var itemLinks: StoredItemLinks {
        StoredItemLinks(
            instance: instance, studio: links, pageURL: links.page, revealed: revealed,
            eventURL: { newestEventURL(.storageWritten, of: $0) })
    }

    private func tokens(_ status: AppStatus, _ now: Date) async throws -> TemplateModel {
        guard let session = status.session, session.endedAt == nil else {
            let isSeeded =
                services.appCatalog.contract(ofBackend: status.backend, app: instance.app) != nil
            return [
                "emptyText": "Not signed in. Sign in on the device"
                    + (isSeeded ? ", or as a test user." : "."),
                "seedAction": isSeeded ? links(Links.seed) : nil,
                "seeds": Seed.State.allCases.filter(\.isSignedIn).map {
                    ChoiceModel(value: $0.rawValue, label: $0.label, chosen: $0 == .signedIn)
                },
            ]
        }
        let cards = TokenCard.models(
            of: session, testID: "studio.token",
            verdict: try await services.signatureVerifier.verdict(session), links: itemLinks,
            key: { status.app.storageKey(holding: $0)?.key }, now: now)
        return [
            "tokenCards": cards,
            "refreshAction": session.refreshToken == nil ? nil : links(Links.refreshToken),
            "sessionURL": Links.session(session.id),
            "serverMismatch": try await serverMismatch(session),
        ]
    }

    /// A mismatch between the server and the session on the device, which has not noticed yet.
    private func serverMismatch(_ session: Session) async throws -> TemplateModel? {
        let sources = try await services.sessionSourcesReader.sources(of: session)
        guard let discrepancy = SessionComparison(sources: sources).state.discrepancy,
            discrepancy.isCounted
        else { return nil }
        let statusText = SessionStatusText(sources: sources, canProbe: true)
        return [
            "chip": ChipModel(text: statusText.title, tone: .bad, chipIcon: "cross"),
            "mismatchReason": discrepancy.explanation,
        ]
    }

    private func recentExchanges(_ status: AppStatus) async throws -> [ExchangeRowModel] {
        var query = ExchangeQuery(workspace: instance.workspace)
        query.app = instance.app
        query.device = instance.device
        query.keyset.limit = 4
        return try await services.exchanges.exchanges(query).map {
            ExchangeRowModel($0, base: status.baseURL)
        }
    }

    private var noExchangesText: String {
        newestEvent { $0.kind == .exchangeEnded } == nil
            ? "No requests yet. Submit a form on the device."
            : "Requests were cleared. New ones are recorded."
    }

    private func recentMail(_ now: Date) async throws -> [TemplateModel] {
        let contract = services.appCatalog.contract(ofApp: instance.app)
        let page = try await services.backend.mailbox.list(
            workspace: instance.workspace, app: contract, at: Keyset(limit: 2))
        return page.items.map { mail in
            [
                "id": mail.id, "href": Links.mail(mail.id), "subject": mail.subject, "to": mail.to,
                "usageChip": ChipModel(usageOf: mail, now: now),
                "sentText": Format.ago(mail.sentAt, now), "sentAt": mail.sentAt.iso8601,
            ]
        }
    }

    private func newestEventURL(_ kind: Event.Kind, of subject: String) -> String? {
        newestEvent { $0.kind == kind && $0.subject == subject }.map { Links.event($0.id) }
    }

    /// The newest event of this app instance that `matches`.
    private func newestEvent(_ matches: (Event) -> Bool) -> Event? {
        services.hub.newestEvent(in: instance.workspace) {
            matches($0) && $0.app == instance.app && $0.device == instance.device
        }
    }
}

// MARK: The second device

extension StudioBuilder {
    /// The device beside the inspected one; nil without one.
    private func secondDevice() async throws -> TemplateModel? {
        guard let device = target.secondDevice, let second = target.secondInstance else {
            return nil
        }
        let status = try await services.simulator.status(second)
        let screenLinks = ScreenLinks(app: instance.app, device: device.id)
        let size = DeviceSizes.size(device.display.size) ?? DeviceSizes.all[0]
        let session = status.session.flatMap { $0.endedAt == nil ? $0 : nil }
        return [
            "id": device.id, "label": device.label, "skeleton": GlyphModel(status.app),
            "sizeID": size.id, "sizeName": size.label,
            "orientation": device.display.orientation.rawValue,
            "statusBar": status.app.resolvedAppearance(for: device.display.appearance)
                .statusBarClass,
            "screenURL": status.visits.isEmpty
                ? screenLinks.startURL : screenLinks.screenURL(status.screen),
            "phoneBase": screenLinks.startURL, "userText": session?.userLabel ?? "Signed out",
            "inspectURL": StudioLinks(
                app: instance.app, device: device.id, secondDevice: instance.device
            ).page,
            "endURL": StudioLinks(app: instance.app, device: links.device).page,
            "copyAction": links(Links.copyAppData),
        ]
    }
}

// MARK: Device controls

extension StudioBuilder {
    /// The choices of each setting, by the name of its field.
    private func deviceChoices(_ device: Device, _ size: DeviceSizes.Size) -> TemplateModel {
        [
            "size": DeviceSizes.all.map {
                ChoiceModel(value: $0.id, label: $0.label, chosen: $0.id == size.id)
            }, "build": choices(device.build),
            "biometrics": choices(device.biometrics.kind) {
                $0 == .none ? "None" : $0.displayName
            }, "orientation": choices(device.display.orientation),
            "appearance": choices(device.display.appearance),
            "textSize": choices(device.display.textSize, named: \.settingName),
        ]
    }

    private func choices<Word: RawRepresentable<String> & CaseIterable & Equatable>(
        _ chosen: Word, named name: (Word) -> String = { $0.rawValue.capitalizedFirst }
    ) -> [ChoiceModel] {
        Word.allCases.map { .init(value: $0.rawValue, label: name($0), chosen: $0 == chosen) }
    }

    /// Everything about the device that may affect how a screen is rendered.
    private func deviceDisplayKey(of device: Device) -> String {
        [
            device.build.rawValue, device.biometrics.kind.rawValue,
            device.biometrics.isEnrolled ? "enrolled" : "", device.display.appearance.rawValue,
            device.display.textSize.rawValue,
        ].joined(separator: " ")
    }
}

extension Device.Display.TextSize {
    /// The name that a phone's settings use, abbreviated to fit.
    fileprivate var settingName: String {
        switch self {
        case .small: "Small"
        case .default: "Default"
        case .large: "Large"
        case .extraLarge: "Extra large"
        case .accessibilityMedium: "Accessibility M"
        case .accessibilityLarge: "Accessibility L"
        }
    }
}
