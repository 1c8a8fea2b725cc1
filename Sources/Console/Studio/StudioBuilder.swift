import Apps
import Backend
import FoundationEssentials
import Simulator
import Surroundings
import Traffic
import Web

/// Gathers what the studio of one app on one device shows.
struct StudioBuilder {
    let services: Services
    let judge: SignatureJudge
    let frames: FrameBuilder
    let place: Place
    let csrf: String
    /// The storage key whose whole value is shown.
    let revealed: (key: String, value: String)?

    private var page: String { Links.studio(place.app) }

    func build() async throws -> StudioModel {
        let situation = try await services.simulator.situation(place)
        let now = services.now(in: place.workspace)
        let app = situation.app
        let started = !situation.visits.isEmpty
        let chosen = app.backends.first { $0.id == situation.backend }
        let device = situation.device
        let display = device.display
        let size = DeviceSizes.named(display.size) ?? DeviceSizes.all[0]
        let addresses = ScreenLinks(app: app.id)
        let isReal = if case .url? = chosen?.base { true } else { false }
        return StudioModel(
            frame: try await frames.frame(
                "\(app.name) studio", place: "studio", workspace: place.workspace, csrf: csrf,
                partURL: page + "?part=", studioScript: true,
                clockNote: isReal ? services.clockNote(of: app, situation.backend) : nil),
            csrf: csrf, partURL: page + "?part=", appID: app.id,
            timelineURL: Links.timeline(app.id), appName: app.name, deviceID: device.id,
            glow: app.look.glow,
            appSwitch: AppSwitchModel("studio", app.name, on: app, services) { Links.studio($0) },
            backendAction: Links.studio(app.id, "backend"),
            backends: app.backends.map {
                .init(id: $0.id, name: $0.label, chosen: $0.id == situation.backend)
            }, backendName: chosen?.label ?? situation.backend, base: short(situation.base),
            baseFull: situation.base,
            backendEditURL: isReal ? Links.studio(app.id, "backend") : nil,
            throughURL: Links.studio(app.id, "through"),
            expireAction: situation.session?.accessToken.flatMap { held in
                held.isJWT ? Links.studio(app.id, "expire") : nil
            }, relaunchAction: Links.studio(app.id, "relaunch"),
            killAction: Links.studio(app.id, "kill"),
            killNextAction: Links.studio(app.id, "kill-next"), killsNext: situation.killsNext,
            forgetURL: Links.studio(app.id, "forget"),
            screenURL: started ? addresses.screen(situation.screen) : addresses.start,
            phoneBase: addresses.start, sizeID: size.id, sizeName: size.label,
            orientation: display.orientation.rawValue,
            statusBar: app.shown(as: display.appearance).statusBar, deviceShows: shows(device),
            deviceAction: Links.studio(app.id, "device"),
            sizes: DeviceSizes.all.map {
                .init(id: $0.id, name: $0.label, chosen: $0.id == size.id)
            }, builds: choices(device.build), biometrics: biometrics(device),
            orientations: choices(display.orientation), appearances: choices(display.appearance),
            textSizes: textSizes(display.textSize), conditionSets: conditionSets(app),
            state: state(situation, now), tokens: try await tokens(situation, now),
            storage: StorageModel(
                try await services.simulator.items(place), at: storagePosition, now: now),
            calls: try await calls(situation), post: try await post(now),
            timeline: TimelineBuilder(
                events: services.timeline(of: place), app: app.id, base: situation.base
            ).build())
    }

    /// Without scheme and API path: `127.0.0.1:7071/main/atlas`.
    private func short(_ base: String) -> String {
        let address = Address(base)
        let rest = (address.authority ?? "") + address.path
        return rest.firstRange(of: "/api").map { String(rest[..<$0.lowerBound]) } ?? String(rest)
    }

    /// Those the app's backend can meet; on where they are on for this app
    /// on this device.
    private func conditionSets(_ app: App) -> [ConditionsModel.SetRow] {
        let order = ConditionOrder(services: services, workspace: place.workspace)
        let active = services.conditions.list(in: place.workspace).filter {
            $0.draft.app == place.app && $0.draft.device == place.device
        }
        return ConditionsBuilder.sets(
            Condition.sets.filter { set in set.drafts.contains { order.canMeet($0.kind, app) } },
            on: Set(active.compactMap(\.set)))
    }

    // MARK: Sections

    private func state(_ situation: Situation, _ now: Date) -> StateModel {
        var state = StateModel(situation, now: now)
        state.sinceURL = newest(.screen, of: situation.screen)
        return state
    }

    private var storagePosition: StorageModel.Position {
        StorageModel.Position(
            revealURL: { Links.query(page, [("reveal", $0)]) }, hideURL: page,
            editURL: { Links.studio(place.app, "storage/\($0)") }, writtenURL: writtenURL,
            revealed: revealed)
    }

    private func tokens(_ situation: Situation, _ now: Date) async throws -> StudioModel.TokensModel
    {
        guard let session = situation.session, session.endedAt == nil else {
            let isSeeded = services.contract(ofBackend: situation.backend, app: place.app) != nil
            return .init(
                cards: false, tokenCards: [],
                whyNone: "Nobody is signed in here. Sign in on the phone"
                    + (isSeeded ? ", or start from a seed." : "."), refreshAction: nil,
                sessionURL: nil, seedAction: isSeeded ? Links.studio(place.app, "seed") : nil,
                seeds: Seed.State.allCases.filter(\.isInside).map {
                    .init(id: $0.rawValue, name: $0.label, chosen: $0 == .signedIn)
                })
        }
        func position(_ name: String) -> TokenModel.Position {
            TokenModel.Position(
                testID: "studio.token", key: situation.app.storageKey(holding: name)?.key,
                swap: "tokens", revealURL: { Links.query(page, [("reveal", $0)]) }, hideURL: page,
                copyURL: { Links.storageItem(place, $0) }, eventURL: writtenURL, revealed: revealed)
        }
        var cards: [TokenModel] = []
        if let held = session.accessToken {
            cards.append(
                .access(
                    held, verdict: try await judge.verdict(session), at: position("accessToken"),
                    now: now))
        }
        if let held = session.refreshToken {
            cards.append(.refresh(held, of: session, at: position("refreshToken"), now: now))
        }
        return .init(
            cards: !cards.isEmpty, tokenCards: cards, whyNone: "",
            refreshAction: session.refreshToken == nil ? nil : Links.studio(place.app, "refresh"),
            sessionURL: Links.session(session.id), over: try await over(session))
    }

    /// The device has not noticed yet.
    private func over(_ session: Session) async throws -> StudioModel.Over? {
        let evidence = try await EvidenceReader(services: services, judge: judge).evidence(
            of: session)
        guard let against = ThreeViews(evidence: evidence).state.disagreement, against.isDrift
        else { return nil }
        let standing = SessionStanding(evidence, canAsk: true)
        return .init(
            chip: ChipModel(text: standing.title, tone: .bad, chipIcon: "cross"), why: against.why)
    }

    private func calls(_ situation: Situation) async throws -> StudioModel.CallsModel {
        var query = ExchangeQuery(workspace: place.workspace)
        query.app = place.app
        query.device = place.device
        query.limit = 4
        let page = try await services.exchanges.list(query)
        return .init(
            trafficURL: Links.query(Links.traffic, [("app", place.app)]),
            anyExchanges: !page.items.isEmpty, whyNone: page.items.isEmpty ? whyNoCalls : "",
            exchanges: page.items.map { ExchangeRowModel($0, base: situation.base) })
    }

    private var whyNoCalls: String {
        let events = services.hub.events(in: place.workspace)
        guard
            events.contains(where: {
                $0.kind == .exchange && $0.app == place.app && $0.device == place.device
            })
        else { return "No call has left yet. Submit something on the phone." }
        return "What left was forgotten. The next call is recorded again."
    }

    private func post(_ now: Date) async throws -> StudioModel.PostModel {
        let contract = services.contract(ofApp: place.app)
        let page = try await services.backend.mailbox.list(
            workspace: place.workspace, app: contract, limit: 2)
        return .init(
            noMailText: "No mail was caught. One appears when the backend sends it.",
            mails: page.items.map { mail in
                .init(
                    id: mail.id, href: Links.mail(mail.id), subject: mail.subject, to: mail.to,
                    use: ChipModel(useOf: mail, now: now), sent: Words.ago(mail.sentAt, now),
                    sentAt: mail.sentAt.iso8601)
            })
    }

    private func writtenURL(_ key: String) -> String? { newest(.stored, of: key) }

    /// The newest event of a kind about something of this place.
    private func newest(_ kind: Event.Kind, of subject: String) -> String? {
        services.hub.events(in: place.workspace).last {
            $0.kind == kind && $0.subject == subject && $0.app == place.app
                && $0.device == place.device
        }.map { Links.event($0.id) }
    }
}

extension String {
    /// `debug` as `Debug`.
    var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
