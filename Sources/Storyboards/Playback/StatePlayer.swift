import Apps
import Backend
import Core
import FoundationEssentials
import Simulator
import Traffic
import Web
import Workspaces

/// Plays a state for real: runs the app's own screens against the embedded backend, each attempt in
/// a temporary workspace.
struct StatePlayer: Sendable {
    let simulator: Simulator
    let backend: EmbeddedBackend
    let faults: FaultStore
    let leases: Leases
    let world: World

    /// Long enough for one attempt; after a crash the workspace expires by itself.
    private static let leaseDuration: Duration = .seconds(120)

    /// Tries `startingWith`, the attempt that worked last time, before any other. Skips attempts
    /// that `memo` knows to lead to another message.
    func play(
        _ app: App, _ screen: Screen, _ state: ScreenState, startingWith: Attempt? = nil,
        memo: AttemptMemo
    ) async throws -> (scene: StateRecording, attempt: Attempt?) {
        let planner = makePlanner(app, screen)
        guard !planner.backends.isEmpty else {
            return (
                makeRecording(
                    .unreachable(
                        reason: """
                            The app has no embedded backend, so its states cannot be rendered.
                            """), []), nil
            )
        }
        var steps: [StateRecording.Step] = []
        let attempts = (startingWith.map { [$0] } ?? []) + planner.attempts(for: state.cause)
        let expectedMessage = state.cause.failureRow(in: app)?.message
        for attempt in attempts {
            if let expectedMessage, let message = memo.message(for: attempt),
                message != expectedMessage
            {
                continue
            }
            let result = try await runAttempt(app, attempt) { playback in
                try await playback.reachState(on: screen, cause: state.cause)
            }
            // If no action was run, the attempt can reach none of the action's failures.
            let fallbackMessage = expectedMessage == nil || result.isBroken ? nil : ""
            if let message = result.heard ?? fallbackMessage {
                memo.record(attempt, message: message)
            }
            if let capture = result.shot {
                return (makeRecording(.reached(capture), result.steps), attempt)
            }
            if steps.isEmpty { steps = result.steps }
        }
        return (
            makeRecording(
                .unreachable(reason: unreachableReason(state.cause, app, tries: attempts.count)),
                steps),
            nil
        )
    }

    private func makePlanner(_ app: App, _ screen: Screen) -> AttemptPlanner {
        var backends: [String] = []
        var switches: [String: [String]] = [:]
        let contracts = backend.contractInfos(in: Workspace.mainID)
        for backend in app.backends {
            guard case .embedded(let contract, _) = backend.base,
                let info = contracts.first(where: { $0.contractID == contract })
            else { continue }
            backends.append(backend.id)
            switches[backend.id] = info.switches.map(\.name)
        }
        return AttemptPlanner(app: app, screen: screen, backends: backends, switches: switches)
    }

    private typealias AttemptResult = (
        shot: StateRecording.ScreenCapture?, steps: [StateRecording.Step], heard: String?,
        /// Foyer itself failed.
        isBroken: Bool
    )

    private func runAttempt(
        _ app: App, _ attempt: Attempt,
        _ perform: (StatePlayback) async throws -> StateRecording.ScreenCapture?
    ) async throws -> AttemptResult {
        guard let contract = app.backends.first(where: { $0.id == attempt.backend })?.contract
        else {
            return (nil, [], nil, false)
        }
        let workspace = try await leases.create(
            label: "Storyboard of \(app.name)", duration: Self.leaseDuration, for: .playback
        ).id
        simulator.skipRetryDelays(workspace)
        let result: AttemptResult
        do {
            let device = try await simulator.makeDevice(
                in: workspace, label: "Storyboard", biometrics: Device.Biometrics(kind: .faceID))
            let playback = StatePlayback(
                player: self, app: app, attempt: attempt,
                instance: AppInstance(workspace: workspace, device: device.id, app: app.id),
                contract: contract)
            var capture: StateRecording.ScreenCapture?
            var isBroken = false
            do { capture = try await perform(playback) } catch let problem as Problem {
                // This attempt failed; the next one may succeed.
                isBroken = problem.status >= 500 || !simulator.hasWorkspace(workspace)
            }
            result = (capture, playback.steps, playback.lastMessage, isBroken)
        } catch {
            await leases.abandon(workspace)
            throw error
        }
        // The recording is complete even if the workspace cannot be removed yet; removal is
        // retried.
        await leases.abandon(workspace)
        return result
    }

    private func makeRecording(_ outcome: StateRecording.Outcome, _ steps: [StateRecording.Step])
        -> StateRecording
    {
        StateRecording(outcome: outcome, steps: steps, playedAt: world.now())
    }

    private func unreachableReason(_ cause: ScreenState.Cause, _ app: App, tries: Int) -> String {
        let attemptsText = "(\(Format.count(tries, "attempt")))"
        return switch cause {
        case .failure(_, let call, _):
            "The embedded backend never responded to \(call) with "
                + "\(Self.describe(cause.failureRow(in: app))) \(attemptsText)."
        case .fieldError: "No input violates only this rule."
        case .disabled: "The action is enabled from the start."
        default: "Not reachable with the embedded backend \(attemptsText)."
        }
    }

    private static func describe(_ row: Call.Failure?) -> String {
        guard let row else { return "this error" }
        let status = row.status.map(String.init).joined(separator: " or ")
        let values = row.expectedValues.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
            .joined(
                separator: ", ")
        return [status, values].filter { !$0.isEmpty }.joined(separator: ", ")
    }
}

extension ScreenState.Cause {
    /// The manifest's failure row that the state shows.
    func failureRow(in app: App) -> Call.Failure? {
        guard case .failure(_, let call, let index) = self, let rows = app.calls[call]?.failures,
            rows.indices.contains(index)
        else { return nil }
        return rows[index]
    }
}
