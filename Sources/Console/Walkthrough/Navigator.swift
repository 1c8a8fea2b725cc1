import Apps
import Simulator
import Traffic
import Web

/// Leads a walk's phone to a screen for real, as a person would go there.
struct Navigator: Sendable {
    let services: Services
    let walkthrough: WalkthroughSession

    /// What came of a stretch of the way.
    enum NavigationResult: Sendable, Equatable {
        case arrived
        /// The phone stands elsewhere; what it says last, if it says anything.
        case elsewhere(message: String?)
    }

    /// A stretch is never longer.
    private static let moveLimit = 16

    /// The phone at a step, left as it is if it stands there already.
    func navigate(to step: WalkthroughStep, in steps: [WalkthroughStep]) async throws
        -> NavigationResult
    {
        let now = try await status
        let target = step.screen
        if now.screen == target.id { return .arrived }
        try await markExchangePosition()
        guard target.kind != .launch else {
            try await replaceDevice()
            return .arrived
        }
        let here = steps.firstIndex { $0.screen.id == now.screen }
        let there = steps.firstIndex { $0.id == step.id }
        let isBack = (here ?? 0) > (there ?? 0)
        if canOpenDirectly(target, now, isBackward: isBack), try await openScreen(target.id) {
            return .arrived
        }
        if !isBack, case .arrived = try await followRoute(to: target) { return .arrived }
        return try await restart(to: target)
    }

    /// From wherever the phone stands on to a step's screen.
    func advance(to step: WalkthroughStep) async throws -> NavigationResult {
        guard try await status.screen != step.screen.id else { return .arrived }
        try await markExchangePosition()
        if case .arrived = try await followRoute(to: step.screen) { return .arrived }
        return try await restart(to: step.screen)
    }

    /// With a phone nobody has used, in the hands of somebody unknown.
    private func restart(to screen: Screen) async throws -> NavigationResult {
        try await replaceDevice()
        let arrival = try await followRoute(to: screen)
        // Somebody who was made known, not registered, was sent no mail yet.
        let post = WalkthroughMail(services: services, walkthrough: walkthrough)
        if case .arrived = arrival, screen.kind == .verify, try await post.newestUnused() == nil {
            try await post.requestMail(on: screen)
        }
        return arrival
    }

    private var status: AppStatus {
        get async throws { try await services.simulator.status(walkthrough.instance) }
    }

    private func replaceDevice() async throws {
        let device = try await WalkthroughSessions.makeDevice(in: walkthrough.workspace, services)
        walkthrough.update { $0.device = device.id }
        walkthrough.startNewPerson()
    }

    /// From here on what the phone sends belongs to the next stretch.
    private func markExchangePosition() async throws {
        var query = ExchangeQuery(workspace: walkthrough.workspace)
        query.limit = 1
        let newest = try await services.exchanges.list(query).items.first?.sequence ?? 0
        walkthrough.update { $0.lastExchangeSequence = newest }
    }

    /// Whether one tap leads to a screen, or a way back that leaves nothing
    /// behind which the screen should not know.
    private func canOpenDirectly(_ target: Screen, _ now: AppStatus, isBackward isBack: Bool)
        -> Bool
    {
        guard let here = now.app.screen(now.screen), here.kind != .launch else { return false }
        let isIn = now.session.map { $0.endedAt == nil } ?? false
        if isBack {
            if target.requirement == .session { return isIn }
            return !isIn && (target.kind == .form || target.kind == .page)
        }
        let itinerary = RoutePlanner(now.app, on: now.device, backend: now.backend)
        return itinerary.moves(on: here).first { $0.to.contains(target.id) }?.move
            == .open(target.id)
    }

    private func openScreen(_ screen: String) async throws -> Bool {
        let opening = try await services.simulator.openScreen(walkthrough.instance, screen: screen)
        if case .show(let now) = opening { return now.screen == screen }
        return false
    }

    /// Step by step, each chosen where the last one led.
    private func followRoute(to target: Screen) async throws -> NavigationResult {
        var tried: [RoutePlanner.Step: Int] = [:]
        var hasRead = false
        var said: String?
        for _ in 0..<Self.moveLimit {
            let now = try await status
            if now.screen == target.id, now.alert?.targetScreen == nil { return .arrived }
            said = now.failure?.message ?? said
            if let alert = now.alert {
                try await services.simulator.dismissAlert(walkthrough.instance)
                if let go = alert.targetScreen { _ = try await openScreen(go) }
                continue
            }
            guard let here = now.app.screen(now.screen) else { break }
            if here.kind == .verify, !hasRead {
                hasRead = true
                try await WalkthroughMail(services: services, walkthrough: walkthrough)
                    .openVerificationLink(from: here)
            }
            let itinerary = RoutePlanner(now.app, on: now.device, backend: now.backend)
            let spent = Set(tried.filter { $0.value > 1 }.keys)
            guard let leg = itinerary.firstStep(from: here.id, to: target.id, excluding: spent)
            else {
                break
            }
            tried[leg, default: 0] += 1
            try await perform(leg.move, on: here, now, towards: target)
        }
        return .elsewhere(message: said)
    }

    private func perform(
        _ move: RoutePlanner.Move, on here: Screen, _ now: AppStatus, towards target: Screen
    ) async throws {
        switch move {
        case .launch: _ = try await services.simulator.launch(walkthrough.instance)
        case .open(let screen): _ = try await openScreen(screen)
        case .action(let name):
            try await FormFiller(services: services, walkthrough: walkthrough).perform(
                name, on: here, towards: target)
        }
    }
}
