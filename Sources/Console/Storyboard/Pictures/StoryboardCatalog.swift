import Apps
import Core
import FoundationEssentials
import Simulator
package import Storyboards
import Web

/// The states of all storyboards, for taking screenshots of them.
package struct StoryboardCatalog: Sendable {
    let services: Services
    let stateCache: StateCache

    /// The valid display options, defaults first.
    package static let sizes = DeviceSizes.all.map(\.id)
    package static let textSizes =
        [Device.Display.TextSize.default.rawValue]
        + Device.Display.TextSize.allCases.filter { $0 != .default }.map(\.rawValue)
    /// Without `system`: a screenshot has no system appearance.
    package static let appearances = ["light", "dark"]

    /// The ids of all apps, in order. Those with a broken manifest have no entries.
    package var appIDs: [String] {
        services.appCatalog.entries().map { entry in
            switch entry {
            case .app(let app): app.id
            case .broken(let id, _): id
            }
        }
    }

    /// Every state of an app, grouped by screen.
    ///
    /// Throws a `Problem` if the app is unknown or its manifest is broken.
    package func states(of app: String) throws -> [StateID] {
        services.storyboardStates(of: try services.app(app)).map(\.id)
    }

    /// Plays a state. Returns the reason if it cannot be reached, otherwise nil.
    ///
    /// Throws if its template fails to render.
    package func play(_ id: StateID) async throws -> String? {
        guard let state = try services.app(id.app).storyboardState(id.screen, id.state) else {
            throw Problem.unknownState("\(id.screen)/\(id.state)")
        }
        switch try await stateCache.recording(of: state).outcome {
        case .unreachable(let reason): return reason
        case .reached(let capture):
            _ = try services.renderDocument(of: capture)
            return nil
        }
    }

    var now: Date { services.world.now() }
}
