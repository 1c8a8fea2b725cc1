import Apps
import Backend
import Core
import FoundationEssentials
import Simulator
import Traffic
import Web

/// Plays a state for real: the app's own screens against the embedded
/// backend, each try in a workspace that is gone afterwards.
struct StatePlayer: Sendable {
    let services: Services
    let leases: Leases

    /// Long enough for any one try; a kill in the middle leaves no more.
    private static let leaseDuration: Duration = .seconds(120)

    /// Tries `first` before anything else: what worked the last time; what
    /// `experience` knows to come to something else is not tried.
    func play(
        _ app: App, _ screen: Screen, _ state: ScreenState, startingWith: Attempt? = nil,
        memo experience: AttemptMemo
    ) async throws -> (scene: StateRecording, attempt: Attempt?) {
        let list = makePlanner(app, screen)
        guard !list.backends.isEmpty else {
            return (
                makeRecording(
                    .unreachable(
                        reason: """
                            None of its backends is built in, so nothing is played.
                            """), []), nil
            )
        }
        var steps: [StateRecording.Step] = []
        let ways = (startingWith.map { [$0] } ?? []) + list.attempts(for: state.cause)
        let message = state.cause.failureRow(in: app)?.message
        for attempt in ways {
            if let message, let heard = experience.message(for: attempt), heard != message {
                continue
            }
            let rehearsal = try await runAttempt(app, attempt) { rehearsal in
                try await rehearsal.reachState(on: screen, cause: state.cause)
            }
            // Where nothing was pressed, the way is closed for all of the
            // action's refusals.
            let closed = message == nil || rehearsal.isBroken ? nil : ""
            if let heard = rehearsal.heard ?? closed { experience.record(attempt, message: heard) }
            if let capture = rehearsal.shot {
                return (makeRecording(.reached(capture), rehearsal.steps), attempt)
            }
            if steps.isEmpty { steps = rehearsal.steps }
        }
        return (
            makeRecording(
                .unreachable(reason: unreachableReason(state.cause, app, tries: ways.count)), steps),
            nil
        )
    }

    private func makePlanner(_ app: App, _ screen: Screen) -> AttemptPlanner {
        var backends: [String] = []
        var switches: [String: [String]] = [:]
        let known = services.backend.contractInfos(in: Workspace.mainID)
        for backend in app.backends {
            guard case .embedded(let contract, _) = backend.base,
                let service = known.first(where: { $0.contractID == contract })
            else { continue }
            backends.append(backend.id)
            switches[backend.id] = service.switches.map(\.name)
        }
        return AttemptPlanner(app: app, screen: screen, backends: backends, switches: switches)
    }

    private typealias AttemptResult = (
        shot: StateRecording.ScreenCapture?, steps: [StateRecording.Step], heard: String?,
        /// Foyer itself could not go on.
        isBroken: Bool
    )

    private func runAttempt(
        _ app: App, _ attempt: Attempt,
        _ perform: (StatePlayback) async throws -> StateRecording.ScreenCapture?
    ) async throws -> AttemptResult {
        guard let contract = services.contract(ofBackend: attempt.backend, app: app.id) else {
            return (nil, [], nil, false)
        }
        let workspace = try await leases.create(
            label: "Storyboard of \(app.name)", duration: Self.leaseDuration, for: .playback
        ).id
        services.simulator.skipRetryDelays(workspace)
        let rehearsed: AttemptResult
        do {
            let device = try await services.simulator.makeDevice(
                in: workspace, label: "Storyboard", biometrics: Device.Biometrics(kind: .faceID))
            let rehearsal = StatePlayback(
                services: services, app: app, attempt: attempt,
                instance: AppInstance(workspace: workspace, device: device.id, app: app.id),
                contract: contract)
            var capture: StateRecording.ScreenCapture?
            var isBroken = false
            do { capture = try await perform(rehearsal) } catch let problem as Problem {
                // This way is closed; the next may be open.
                isBroken = problem.status >= 500 || !services.simulator.hasWorkspace(workspace)
            }
            rehearsed = (capture, rehearsal.steps, rehearsal.lastMessage, isBroken)
        } catch {
            await leases.abandon(workspace)
            throw error
        }
        // Played is played: one that will not go yet is tried again.
        await leases.abandon(workspace)
        return rehearsed
    }

    private func makeRecording(_ ending: StateRecording.Outcome, _ steps: [StateRecording.Step])
        -> StateRecording
    {
        StateRecording(outcome: ending, steps: steps, playedAt: services.world.now())
    }

    private func unreachableReason(_ cause: ScreenState.Cause, _ app: App, tries: Int) -> String {
        let tried = "Tried in \(Format.count(tries, "way"))"
        return switch cause {
        case .failure(_, let call, _):
            "The built-in backend never answered \(call) with "
                + "\(Self.describe(cause.failureRow(in: app))). \(tried)."
        case .fieldError: "No word typed there breaks this rule alone."
        case .disabled: "It can be pressed from the beginning."
        default: "The built-in backend does not lead here. \(tried)."
        }
    }

    private static func describe(_ row: Call.Failure?) -> String {
        guard let row else { return "it" }
        let status = row.status.map(String.init).joined(separator: " or ")
        let values = row.expectedValues.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
            .joined(
                separator: ", ")
        return [status, values].filter { !$0.isEmpty }.joined(separator: ", ")
    }
}

extension ScreenState.Cause {
    /// The manifest's row it is the state of.
    func failureRow(in app: App) -> Call.Failure? {
        guard case .failure(_, let call, let index) = self, let rows = app.calls[call]?.failures,
            rows.indices.contains(index)
        else { return nil }
        return rows[index]
    }
}
