import Apps
import Simulator
import Traffic
import Web

/// Leads a walk's phone to a screen for real, as a person would go there.
struct Guide: Sendable {
    let services: Services
    let walk: Walk

    /// What came of a stretch of the way.
    enum Arrival: Sendable, Equatable {
        case there
        /// The phone stands elsewhere; what it says last, if it says anything.
        case elsewhere(said: String?)
    }

    /// A stretch is never longer.
    private static let patience = 16

    /// The phone at a step, left as it is if it stands there already.
    func arrive(at step: WalkStep, of steps: [WalkStep]) async throws -> Arrival {
        let now = try await situation
        let target = step.screen
        if now.screen == target.id { return .there }
        try await note()
        guard target.kind != .launch else {
            try await takeAnotherPhone()
            return .there
        }
        let here = steps.firstIndex { $0.screen.id == now.screen }
        let there = steps.firstIndex { $0.id == step.id }
        let isBack = (here ?? 0) > (there ?? 0)
        if isOpen(target, now, isBack), try await open(target.id) { return .there }
        if !isBack, case .there = try await go(to: target) { return .there }
        return try await goAfresh(to: target)
    }

    /// From wherever the phone stands on to a step's screen.
    func goOn(to step: WalkStep) async throws -> Arrival {
        guard try await situation.screen != step.screen.id else { return .there }
        try await note()
        if case .there = try await go(to: step.screen) { return .there }
        return try await goAfresh(to: step.screen)
    }

    /// With a phone nobody has used, in the hands of somebody unknown.
    private func goAfresh(to screen: Screen) async throws -> Arrival {
        try await takeAnotherPhone()
        let arrival = try await go(to: screen)
        // Somebody who was made known, not registered, was sent no mail yet.
        let post = Post(services: services, walk: walk)
        if case .there = arrival, screen.kind == .verify, try await post.newest() == nil {
            try await post.ask(on: screen)
        }
        return arrival
    }

    private var situation: Situation {
        get async throws { try await services.simulator.situation(walk.place) }
    }

    private func takeAnotherPhone() async throws {
        let device = try await Walks.phone(in: walk.workspace, services)
        walk.change { $0.device = device.id }
        walk.meetSomebody()
    }

    /// From here on what the phone sends belongs to the next stretch.
    private func note() async throws {
        var query = ExchangeQuery(workspace: walk.workspace)
        query.limit = 1
        let newest = try await services.exchanges.list(query).items.first?.sequence ?? 0
        walk.change { $0.exchangesBefore = newest }
    }

    /// Whether one tap leads to a screen, or a way back that leaves nothing
    /// behind which the screen should not know.
    private func isOpen(_ target: Screen, _ now: Situation, _ isBack: Bool) -> Bool {
        guard let here = now.app.screen(now.screen), here.kind != .launch else { return false }
        let isIn = now.session.map { $0.endedAt == nil } ?? false
        if isBack {
            if target.needs == .session { return isIn }
            return !isIn && (target.kind == .form || target.kind == .page)
        }
        let itinerary = Itinerary(now.app, on: now.device, backend: now.backend)
        return itinerary.moves(on: here).first { $0.to.contains(target.id) }?.move
            == .open(target.id)
    }

    private func open(_ screen: String) async throws -> Bool {
        let opening = try await services.simulator.open(walk.place, screen: screen)
        if case .show(let now) = opening { return now.screen == screen }
        return false
    }

    /// Step by step, each chosen where the last one led.
    private func go(to target: Screen) async throws -> Arrival {
        var tried: [Itinerary.Leg: Int] = [:]
        var hasRead = false
        var said: String?
        for _ in 0..<Self.patience {
            let now = try await situation
            if now.screen == target.id, now.alert?.go == nil { return .there }
            said = now.failure?.message ?? said
            if let alert = now.alert {
                try await services.simulator.dismiss(walk.place)
                if let go = alert.go { _ = try await open(go) }
                continue
            }
            guard let here = now.app.screen(now.screen) else { break }
            if here.kind == .verify, !hasRead {
                hasRead = true
                try await Post(services: services, walk: walk).verify(from: here)
            }
            let itinerary = Itinerary(now.app, on: now.device, backend: now.backend)
            let spent = Set(tried.filter { $0.value > 1 }.keys)
            guard let leg = itinerary.first(from: here.id, to: target.id, without: spent) else {
                break
            }
            tried[leg, default: 0] += 1
            try await make(leg.move, on: here, now, towards: target)
        }
        return .elsewhere(said: said)
    }

    private func make(
        _ move: Itinerary.Move, on here: Screen, _ now: Situation, towards target: Screen
    ) async throws {
        switch move {
        case .launch: _ = try await services.simulator.launch(walk.place)
        case .open(let screen): _ = try await open(screen)
        case .act(let name):
            try await FormFiller(services: services, walk: walk).send(
                name, on: here, towards: target)
        }
    }
}
