import Apps
import Backend
import Core
import FoundationEssentials
import Simulator
import Web

/// Navigates to the screen to play.
extension StatePlayback {
    /// Returns false if the app shows another screen.
    mutating func navigate(to screen: Screen) async throws -> Bool {
        switch attempt.entryPath {
        case .direct:
            if screen.kind == .launch {
                recordStep("Start the app", detail: screen.id)
                return true
            }
            try await launch()
        case .signedIn:
            try await signIn()
            if screen.kind == .launch {
                try await simulator.relaunch(instance, isKill: false)
                recordStep("Relaunch", detail: screen.id)
                return true
            }
        case .sessionEnded:
            try await signIn()
            _ = try await endSession()
        case .viaAction(let other, let action):
            try await launch()
            guard let other = app.screen(other), try await openLink(to: other) else { return false }
            let (_, capture) = try await press(action, on: other, .valid)
            return capture.status.screen == screen.id
        }
        return try await openLink(to: screen)
    }

    /// Captures the screen the app shows now; follows redirects.
    func captureScreen(of screen: String? = nil) async throws -> ScreenCapture {
        var next: String
        if let screen { next = screen } else { next = try await simulator.status(instance).screen }
        for _ in 0..<4 {
            switch try await simulator.openScreen(instance, screen: next) {
            case .show(let status): return ScreenCapture(status: status)
            case .redirect(let other): next = other
            }
        }
        return ScreenCapture(status: try await simulator.status(instance))
    }

    private mutating func launch() async throws {
        let result = try await simulator.launch(instance)
        recordStep("Start the app", detail: result.screen)
    }

    /// Signs in as the app does. If the backend rejects the sign-in, the app stays on the screen it
    /// shows then.
    mutating func signIn() async throws {
        let since = simulator.clocks.now(in: instance.workspace)
        do {
            _ = try await simulator.signIn(instance, email: sample.email, password: sample.password)
            { [mailbox = backend.mailbox, instance, contract, sample] in
                try await mailbox.newestCode(
                    to: sample.email, from: contract, in: instance.workspace, since: since)
            }
        } catch let problem as Problem where problem.code == "sign-in-failed" {}
        recordStep("Sign in", detail: try await simulator.status(instance).screen)
    }

    /// Ends the session on the server and relaunches the app, which then notices. Returns the
    /// screen it shows.
    mutating func endSession() async throws -> String {
        try await apply(.signedOut)
        try await apply(.tokenExpired)
        try await simulator.relaunch(instance, isKill: false)
        let screen = try await simulator.launch(instance).screen
        recordStep("Relaunch", detail: screen)
        return screen
    }

    /// Opens the screen by its URL, as a link does.
    private mutating func openLink(to screen: Screen) async throws -> Bool {
        let currentScreen = try await captureScreen(of: screen.id).status.screen
        if steps.last?.detail != screen.id {
            recordStep("Go to \(screen.id)", detail: currentScreen)
        }
        return currentScreen == screen.id
    }
}

extension Mailbox {
    /// The code of the newest mail; a mail is stored before the response to its request is sent.
    func newestCode(
        to address: String, from contract: String, in workspace: String, since: Date? = nil
    ) async throws -> String? {
        try await waitForMail(
            workspace: workspace, to: address, app: contract, purpose: nil, since: since,
            timeout: .zero)?.code
    }
}
