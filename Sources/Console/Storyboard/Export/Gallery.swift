import Apps
import Simulator
import Web

/// The storyboard's states one by one, for whoever takes pictures of them.
package struct Gallery: Sendable {
    let services: Services
    let stage: Stage

    /// A state of a screen of an app.
    package struct Piece: Sendable, Hashable {
        package var app: String
        package var screen: String
        package var state: String
    }

    /// How a screen is shown.
    package struct Look: Sendable, Hashable {
        package var size: String
        package var appearance: String
        package var text: String

        package init(size: String, appearance: String, text: String) {
            self.size = size
            self.appearance = appearance
            self.text = text
        }
    }

    /// What a look can be made of, the usual first.
    package static let sizes = DeviceSizes.all.map(\.id)
    package static let texts =
        [Device.Display.TextSize.default.rawValue]
        + Device.Display.TextSize.allCases.filter { $0 != .default }.map(\.rawValue)
    /// Not the system's: a picture has no system.
    package static let appearances = [
        Device.Display.Appearance.light.rawValue, Device.Display.Appearance.dark.rawValue,
    ]

    /// Every app there is, in order; of a broken one there are no pieces.
    package var apps: [String] {
        services.catalogue.entries().map { entry in
            switch entry {
            case .app(let app): app.id
            case .broken(let id, _): id
            }
        }
    }

    /// Every state of an app, screen by screen.
    ///
    /// Throws a `Problem` for one that is unknown or broken.
    package func pieces(of app: String) throws -> [Piece] {
        let app = try services.app(app)
        return app.screens.flatMap { screen in
            app.states(of: screen).map { Piece(app: app.id, screen: screen.id, state: $0) }
        }
    }

    /// Plays a state; of one that cannot be reached, why.
    ///
    /// Throws what its template has against being drawn.
    package func play(_ piece: Piece) async throws -> String? {
        let app = try services.app(piece.app)
        guard let screen = app.screen(piece.screen),
            let state = app.screenStates(of: screen).first(where: { $0.name == piece.state })
        else { throw Problem.unknownState("\(piece.screen)/\(piece.state)") }
        switch try await stage.scene(app, screen, state).ending {
        case .unreachable(let reason): return reason
        case .reached(let shot):
            _ = try services.document(of: shot, Device.Display(), "")
            return nil
        }
    }

    /// Where a state that was played can be looked at.
    package func address(of piece: Piece, _ look: Look) -> String {
        Links.tile(
            piece.app, .init(screen: piece.screen, state: piece.state), size: look.size,
            appearance: look.appearance, text: look.text)
    }

    /// Points, held upright.
    package static func points(of size: String) -> (width: Int, height: Int)? {
        DeviceSizes.named(size).map { ($0.width, $0.height) }
    }
}
