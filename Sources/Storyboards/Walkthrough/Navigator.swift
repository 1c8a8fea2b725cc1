import Apps
import Simulator
import Traffic
import Web

/// Navigates the walkthrough's device to a screen by using the app as a person would.
package struct Navigator: Sendable {
    package let walkthrough: WalkthroughSession

    package init(walkthrough: WalkthroughSession) { self.walkthrough = walkthrough }

    /// The result of a navigation.
    package enum NavigationResult: Sendable, Equatable {
        case arrived
        /// The app shows another screen; `message` is its last failure message, if any.
        case elsewhere(message: String?)
    }

    /// The maximum number of moves in one navigation.
    private static let moveLimit = 16

    /// Navigates to a step, in either direction.
    package func navigate(to step: WalkthroughStep, in steps: [WalkthroughStep]) async throws
        -> NavigationResult
    {
        let appStatus = try await status
        let target = step.screen
        if appStatus.screen == target.id { return .arrived }
        try await markExchangePosition()
        guard target.kind != .launch else {
            try await replaceDevice()
            return .arrived
        }
        let currentIndex = steps.firstIndex { $0.screen.id == appStatus.screen }
        let targetIndex = steps.firstIndex { $0.id == step.id }
        let isBackward = (currentIndex ?? 0) > (targetIndex ?? 0)
        if canOpenDirectly(target, appStatus, isBackward: isBackward),
            try await openScreen(target.id)
        {
            return .arrived
        }
        if !isBackward, case .arrived = try await followRoute(to: target) { return .arrived }
        return try await restart(to: target)
    }

    /// Navigates forward to a step's screen from the current screen.
    package func advance(to step: WalkthroughStep) async throws -> NavigationResult {
        guard try await status.screen != step.screen.id else { return .arrived }
        try await markExchangePosition()
        if case .arrived = try await followRoute(to: step.screen) { return .arrived }
        return try await restart(to: step.screen)
    }

    /// Restarts on a new device with a new person that has no account.
    private func restart(to screen: Screen) async throws -> NavigationResult {
        try await replaceDevice()
        let result = try await followRoute(to: screen)
        // An account added directly, not registered, has received no mail.
        let mail = WalkthroughMail(walkthrough: walkthrough)
        if case .arrived = result, screen.kind == .verify, try await mail.newestUnused() == nil {
            try await mail.requestMail(on: screen)
        }
        return result
    }

    private var status: AppStatus {
        get async throws { try await walkthrough.simulator.status(walkthrough.instance) }
    }

    private func replaceDevice() async throws {
        let device = try await walkthrough.simulator.makeWalkthroughDevice(
            in: walkthrough.workspace)
        walkthrough.update { $0.device = device.id }
        walkthrough.startNewPerson()
    }

    /// Marks where the exchanges of this navigation begin.
    private func markExchangePosition() async throws {
        var query = ExchangeQuery(workspace: walkthrough.workspace)
        query.limit = 1
        let newestSequence = try await walkthrough.exchanges.list(query).items.first?.sequence ?? 0
        walkthrough.update { $0.lastExchangeSequence = newestSequence }
    }

    /// Whether the screen can be opened directly: with one tap, or going back without leaving state
    /// that the screen must not see.
    private func canOpenDirectly(_ target: Screen, _ appStatus: AppStatus, isBackward: Bool)
        -> Bool
    {
        guard let currentScreen = appStatus.app.screen(appStatus.screen),
            currentScreen.kind != .launch
        else { return false }
        let isSignedIn = appStatus.session.map { $0.endedAt == nil } ?? false
        if isBackward {
            if target.requirement == .session { return isSignedIn }
            return !isSignedIn && (target.kind == .form || target.kind == .page)
        }
        let planner = RoutePlanner(appStatus.app, on: appStatus.device, backend: appStatus.backend)
        return planner.moves(on: currentScreen).first { $0.to.contains(target.id) }?.move
            == .open(target.id)
    }

    private func openScreen(_ screen: String) async throws -> Bool {
        let result = try await walkthrough.simulator.openScreen(
            walkthrough.instance, screen: screen)
        if case .show(let appStatus) = result { return appStatus.screen == screen }
        return false
    }

    /// Navigates step by step, planning each from the screen the last one led to.
    private func followRoute(to target: Screen) async throws -> NavigationResult {
        var attemptCounts: [RoutePlanner.Step: Int] = [:]
        var hasOpenedMail = false
        var message: String?
        for _ in 0..<Self.moveLimit {
            let appStatus = try await status
            if appStatus.screen == target.id, appStatus.alert?.targetScreen == nil {
                return .arrived
            }
            message = appStatus.failure?.message ?? message
            if let alert = appStatus.alert {
                try await walkthrough.simulator.dismissAlert(walkthrough.instance)
                if let targetScreen = alert.targetScreen { _ = try await openScreen(targetScreen) }
                continue
            }
            guard let currentScreen = appStatus.app.screen(appStatus.screen) else { break }
            if currentScreen.kind == .verify, !hasOpenedMail {
                hasOpenedMail = true
                try await WalkthroughMail(walkthrough: walkthrough)
                    .openVerificationLink(from: currentScreen)
            }
            let planner = RoutePlanner(
                appStatus.app, on: appStatus.device, backend: appStatus.backend)
            let exhausted = Set(attemptCounts.filter { $0.value > 1 }.keys)
            guard
                let step = planner.firstStep(
                    from: currentScreen.id, to: target.id, excluding: exhausted)
            else {
                break
            }
            attemptCounts[step, default: 0] += 1
            try await perform(step.move, on: currentScreen, appStatus, towards: target)
        }
        return .elsewhere(message: message)
    }

    private func perform(
        _ move: RoutePlanner.Move, on currentScreen: Screen, _ appStatus: AppStatus,
        towards target: Screen
    ) async throws {
        switch move {
        case .launch: _ = try await walkthrough.simulator.launch(walkthrough.instance)
        case .open(let screen): _ = try await openScreen(screen)
        case .action(let name):
            try await FormFiller(walkthrough: walkthrough).perform(
                name, on: currentScreen, towards: target)
        }
    }
}
