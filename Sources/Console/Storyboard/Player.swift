import Apps
import Backend
import FoundationEssentials
import Simulator
import Surroundings
import Traffic
import Web

/// Plays a state for real: the app's own screens against the embedded
/// backend, each try in a workspace that is gone afterwards.
struct Player: Sendable {
    let services: Services
    let leases: Leases

    /// Long enough for any one try; a kill in the middle leaves no more.
    private static let lease: Duration = .seconds(120)

    /// Tries `first` before anything else: what worked the last time; what
    /// `experience` knows to come to something else is not tried.
    func play(
        _ app: App, _ screen: Screen, _ state: ScreenState, first: Attempt? = nil,
        _ experience: Experience
    ) async throws -> (scene: Scene, attempt: Attempt?) {
        let list = attempts(app, screen)
        guard !list.backends.isEmpty else {
            return (
                scene(
                    .unreachable(
                        reason: """
                            None of its backends is built in, so nothing is played.
                            """), []), nil
            )
        }
        var steps: [Scene.Step] = []
        let ways = (first.map { [$0] } ?? []) + list.attempts(for: state.cause)
        let message = state.cause.row(in: app)?.message
        for attempt in ways {
            if let message, let heard = experience.heard(attempt), heard != message { continue }
            let rehearsal = try await rehearse(app, attempt) { rehearsal in
                try await rehearsal.perform(screen, state.cause)
            }
            // Where nothing was pressed, the way is closed for all of the
            // action's refusals.
            let closed = message == nil || rehearsal.isBroken ? nil : ""
            if let heard = rehearsal.heard ?? closed { experience.note(attempt, heard) }
            if let shot = rehearsal.shot {
                return (scene(.reached(shot), rehearsal.steps), attempt)
            }
            if steps.isEmpty { steps = rehearsal.steps }
        }
        return (
            scene(.unreachable(reason: reason(state.cause, app, tries: ways.count)), steps), nil
        )
    }

    private func attempts(_ app: App, _ screen: Screen) -> AttemptList {
        var backends: [String] = []
        var switches: [String: [String]] = [:]
        let known = services.backend.services(in: Workspace.main)
        for backend in app.backends {
            guard case .embedded(let contract, _) = backend.base,
                let service = known.first(where: { $0.contract == contract })
            else { continue }
            backends.append(backend.id)
            switches[backend.id] = service.switches.map(\.name)
        }
        return AttemptList(app: app, screen: screen, backends: backends, switches: switches)
    }

    private typealias Rehearsed = (
        shot: Scene.Shot?, steps: [Scene.Step], heard: String?,
        /// Foyer itself could not go on.
        isBroken: Bool
    )

    private func rehearse(
        _ app: App, _ attempt: Attempt, _ perform: (Rehearsal) async throws -> Scene.Shot?
    ) async throws -> Rehearsed {
        guard let contract = services.contract(ofBackend: attempt.backend, app: app.id) else {
            return (nil, [], nil, false)
        }
        let workspace = try await leases.make(
            label: "Storyboard of \(app.name)", lease: Self.lease, for: .rehearsal
        ).id
        services.simulator.hurry(workspace)
        let rehearsed: Rehearsed
        do {
            let device = try await services.simulator.makeDevice(
                in: workspace, label: "Storyboard", biometrics: Device.Biometrics(kind: .faceID))
            let rehearsal = Rehearsal(
                services: services, app: app, attempt: attempt,
                place: Place(workspace: workspace, device: device.id, app: app.id),
                contract: contract)
            var shot: Scene.Shot?
            var isBroken = false
            do { shot = try await perform(rehearsal) } catch let problem as Problem {
                // This way is closed; the next may be open.
                isBroken = problem.status >= 500 || !services.simulator.hasWorkspace(workspace)
            }
            rehearsed = (shot, rehearsal.steps, rehearsal.heard, isBroken)
        } catch {
            await leases.abandon(workspace)
            throw error
        }
        // Played is played: one that will not go yet is tried again.
        await leases.abandon(workspace)
        return rehearsed
    }

    private func scene(_ ending: Scene.Ending, _ steps: [Scene.Step]) -> Scene {
        Scene(ending: ending, steps: steps, playedAt: services.world.now())
    }

    private func reason(_ cause: ScreenState.Cause, _ app: App, tries: Int) -> String {
        let tried = "Tried in \(Words.count(tries, "way"))"
        return switch cause {
        case .failure(_, let call, _):
            "The built-in backend never answered \(call) with "
                + "\(Self.told(cause.row(in: app))). \(tried)."
        case .fieldError: "No word typed there breaks this rule alone."
        case .disabled: "It can be pressed from the beginning."
        default: "The built-in backend does not lead here. \(tried)."
        }
    }

    private static func told(_ row: Call.Failure?) -> String {
        guard let row else { return "it" }
        let status = row.status.map(String.init).joined(separator: " or ")
        let values = row.where.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(
            separator: ", ")
        return [status, values].filter { !$0.isEmpty }.joined(separator: ", ")
    }
}

extension ScreenState.Cause {
    /// The manifest's row it is the state of.
    func row(in app: App) -> Call.Failure? {
        guard case .failure(_, let call, let index) = self, let rows = app.calls[call]?.failures,
            rows.indices.contains(index)
        else { return nil }
        return rows[index]
    }
}
