import Apps
import Backend
import Core
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
    func play(_ state: StoryboardState, startingWith: Attempt? = nil, memo: AttemptMemo)
        async throws -> (StateRecording, Attempt?)
    {
        let contracts = backend.contractInfos(in: Workspace.mainID)
        let planner = AttemptPlanner(
            state: state,
            backends: state.app.backends.compactMap { appBackend in
                contracts.first { $0.contractID == appBackend.contract }.map {
                    (appBackend.id, $0.switches.map(\.name))
                }
            })
        guard !planner.backends.isEmpty else {
            let reason = "The app has no embedded backend, so its states cannot be rendered."
            return (makeRecording(.unreachable(reason: reason), []), nil)
        }
        var steps: [StateRecording.Step] = []
        let attempts = (startingWith.map { [$0] } ?? []) + planner.attempts()
        let expectedMessage = state.failureRow?.message
        for attempt in attempts {
            if let expectedMessage, let message = memo.message(for: attempt),
                message != expectedMessage
            {
                continue
            }
            guard let (playback, capture, isBroken) = try await run(attempt, at: state) else {
                continue
            }
            // If no action was run, the attempt can reach none of the action's failures.
            let fallbackMessage = expectedMessage == nil || isBroken ? nil : ""
            if let message = playback.lastMessage ?? fallbackMessage {
                memo.record(attempt, message: message)
            }
            if let capture { return (makeRecording(.reached(capture), playback.steps), attempt) }
            if steps.isEmpty { steps = playback.steps }
        }
        let reason = unreachableReason(state, attemptCount: attempts.count)
        return (makeRecording(.unreachable(reason: reason), steps), nil)
    }

    /// Nil if the attempt's backend is no longer embedded. `capture` is nil if the app ended up in
    /// another state; `isBroken` is true if Foyer itself failed.
    private func run(_ attempt: Attempt, at state: StoryboardState) async throws -> (
        playback: StatePlayback, capture: ScreenCapture?, isBroken: Bool
    )? {
        let app = state.app
        guard let contract = app.backends.first(where: { $0.id == attempt.backend })?.contract
        else { return nil }
        let workspace = try await leases.create(
            label: "Storyboard of \(app.name)", duration: Self.leaseDuration, for: .playback
        ).id
        simulator.skipRetryDelays(workspace)
        do {
            let device = try await simulator.makeDevice(
                in: workspace, label: "Storyboard", biometrics: Device.Biometrics(kind: .faceID))
            var playback = StatePlayback(
                player: self, state: state, attempt: attempt,
                instance: AppInstance(workspace: workspace, device: device.id, app: app.id),
                contract: contract)
            var capture: ScreenCapture?
            var isBroken = false
            do { capture = try await playback.reachState() } catch let problem as Problem {
                // This attempt failed; the next one may succeed.
                isBroken = problem.status >= 500 || !simulator.hasWorkspace(workspace)
            }
            // The recording is complete even if the workspace cannot be removed yet; removal is
            // retried.
            await leases.abandon(workspace)
            return (playback, capture, isBroken)
        } catch {
            await leases.abandon(workspace)
            throw error
        }
    }

    private func makeRecording(_ outcome: StateRecording.Outcome, _ steps: [StateRecording.Step])
        -> StateRecording
    { StateRecording(outcome: outcome, steps: steps, playedAt: world.now()) }

    private func unreachableReason(_ state: StoryboardState, attemptCount: Int) -> String {
        let attemptsText = "(\(Format.count(attemptCount, "attempt")))"
        return switch state.cause {
        case .failure(_, let call, _):
            "The embedded backend never responded to \(call) with "
                + "\(Self.describe(state.failureRow)) \(attemptsText)."
        case .fieldError: "No input violates only this rule."
        case .disabled: "The action is enabled from the start."
        default: "Not reachable with the embedded backend \(attemptsText)."
        }
    }

    private static func describe(_ row: Call.Failure?) -> String {
        guard let row else { return "this error" }
        let status = row.status.map(String.init).joined(separator: " or ")
        let values = row.expectedValues.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        return ([status] + values).filter { !$0.isEmpty }.joined(separator: ", ")
    }
}
