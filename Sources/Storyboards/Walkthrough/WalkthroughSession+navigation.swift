import Apps
import Core
import Simulator
import Traffic

/// Navigates the walkthrough's device to a screen by using the app as a person would.
extension WalkthroughSession {
    /// The result of a navigation.
    private enum NavigationResult {
        case arrived
        /// The app shows another screen; `message` is its last failure message, if any.
        case elsewhere(message: String?)
    }

    /// The maximum number of moves in one navigation.
    private static let moveLimit = 16

    /// Navigates to a step, in either direction.
    package func navigate(to step: WalkthroughStep, in steps: [WalkthroughStep]) async throws {
        try await move(to: step) { try await self.findWay(to: step, in: steps) }
    }

    /// Navigates forward to a step's screen from the current screen.
    package func advance(to step: WalkthroughStep) async throws {
        try await move(to: step) { try await self.useApp(upTo: step.screen) }
    }

    /// Makes a navigation and keeps its failure for the page that follows.
    private func move(
        to step: WalkthroughStep,
        _ navigate: @escaping @Sendable () async throws -> NavigationResult
    ) async throws {
        try await runExclusively { [self] in
            let result = try await navigate()
            update { state in
                state.failedNavigation =
                    if case .elsewhere(let message) = result { (step.id, message) } else { nil }
            }
        }
    }

    private func findWay(to step: WalkthroughStep, in steps: [WalkthroughStep]) async throws
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

    private func useApp(upTo screen: Screen) async throws -> NavigationResult {
        guard try await status.screen != screen.id else { return .arrived }
        try await markExchangePosition()
        if case .arrived = try await followRoute(to: screen) { return .arrived }
        return try await restart(to: screen)
    }

    /// Restarts on a new device with a new person that has no account.
    private func restart(to screen: Screen) async throws -> NavigationResult {
        try await replaceDevice()
        if let (other, action) = try await status.app.lockingAction(for: screen) {
            // Only a cold start locks what the user of the app has protected.
            _ = try await followRoute(to: other)
            try await perform(action.name, on: other, towards: screen)
            try await simulator.relaunch(instance, isKill: false)
        }
        let result = try await followRoute(to: screen)
        // An account added directly, not registered, has received no mail.
        if case .arrived = result, screen.kind == .verify, try await newestUnusedMail() == nil {
            try await requestMail(on: screen)
        }
        return result
    }

    private var status: AppStatus { get async throws { try await simulator.status(instance) } }

    private func replaceDevice() async throws {
        let device = try await simulator.makeWalkthroughDevice(in: workspace)
        update { $0.device = device.id }
        startNewPerson()
    }

    /// Marks where the exchanges of this navigation begin.
    private func markExchangePosition() async throws {
        var query = ExchangeQuery(workspace: workspace)
        query.keyset.limit = 1
        let newestSequence = try await environment.exchanges.exchanges(query).first?.sequence ?? 0
        update { $0.lastExchangeSequence = newestSequence }
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
        let moves = RoutePlanner(appStatus).moves(on: currentScreen)
        return moves.first { $0.to.contains(target.id) }?.move == .open(target.id)
    }

    private func openScreen(_ screen: String) async throws -> Bool {
        let result = try await simulator.openScreen(instance, screen: screen)
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
                try await simulator.dismissAlert(instance)
                if let targetScreen = alert.targetScreen { _ = try await openScreen(targetScreen) }
                continue
            }
            guard let currentScreen = appStatus.app.screen(appStatus.screen) else { break }
            if currentScreen.kind == .verify, !hasOpenedMail {
                hasOpenedMail = true
                try await openVerificationLink(from: currentScreen)
            }
            let exhausted = Set(attemptCounts.filter { $0.value > 1 }.keys)
            guard
                let step = RoutePlanner(appStatus).firstStep(
                    from: currentScreen.id, to: target.id, excluding: exhausted)
            else { break }
            attemptCounts[step, default: 0] += 1
            switch step.move {
            case .launch: _ = try await simulator.launch(instance)
            case .open(let screen): _ = try await openScreen(screen)
            case .action(let name): try await perform(name, on: currentScreen, towards: target)
            }
        }
        return .elsewhere(message: message)
    }
}

extension RoutePlanner {
    fileprivate init(_ status: AppStatus) {
        self.init(app: status.app, device: status.device, backend: status.backend)
    }
}
