import Apps
import Backend
import Simulator
import Web

/// How a rehearsal comes to its screen.
extension Rehearsal {
    /// False if the app shows another screen.
    func arrive(at screen: Screen) async throws -> Bool {
        switch attempt.arrival {
        case .straight:
            if screen.kind == .launch {
                note("Start the app", screen.id)
                return true
            }
            try await start()
        case .signedIn:
            try await signIn()
            if screen.kind == .launch {
                try await simulator.relaunch(place, kill: false)
                note("Relaunch", screen.id)
                return true
            }
        case .returned:
            try await signIn()
            _ = try await endSession()
        case .through(let other, let action):
            try await start()
            guard let other = app.screen(other), try await go(to: other) else { return false }
            let (_, shot) = try await press(action, on: other, .plainly)
            return shot.situation.screen == screen.id
        }
        return try await go(to: screen)
    }

    /// What the app shows now; a screen that leads on is followed.
    func shot(of screen: String? = nil) async throws -> Scene.Shot {
        var next: String
        if let screen { next = screen } else { next = try await simulator.situation(place).screen }
        for _ in 0..<4 {
            switch try await simulator.open(place, screen: next) {
            case .show(let situation): return Scene.Shot(situation: situation)
            case .redirect(let other): next = other
            }
        }
        return Scene.Shot(situation: try await simulator.situation(place))
    }

    private func start() async throws {
        let outcome = try await simulator.launch(place)
        note("Start the app", outcome.screen)
    }

    /// Signs in as the app does; somebody who is kept out stands where the
    /// app leads them.
    func signIn() async throws {
        let since = services.now(in: place.workspace)
        do {
            _ = try await simulator.enter(place, email: sample.email, password: sample.password) {
                [mailbox = services.backend.mailbox, place, contract, sample] in
                try await mailbox.wait(
                    workspace: place.workspace, to: sample.email, app: contract, purpose: nil,
                    since: since, timeout: .zero)?.code
            }
        } catch let problem as Problem where problem.code == "not-entered" {}
        note("Sign in", try await simulator.situation(place).screen)
    }

    /// The server ends the session, and the app finds out when it starts;
    /// the screen it shows then.
    func endSession() async throws -> String {
        try await befall(.signedOut)
        try await befall(.expired)
        try await simulator.relaunch(place, kill: false)
        let screen = try await simulator.launch(place).screen
        note("Relaunch", screen)
        return screen
    }

    /// By its address, as a link does.
    private func go(to screen: Screen) async throws -> Bool {
        let there = try await shot(of: screen.id).situation.screen
        if steps.last?.detail != screen.id { note("Go to \(screen.id)", there) }
        return there == screen.id
    }
}
