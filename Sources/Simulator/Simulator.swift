package import Apps
package import Secrets
package import SQLite
package import Surroundings
package import Traffic

/// The phones: devices, what they store, and the runner of their apps.
package final class Simulator: Sendable {
    /// Its database's schema history.
    package static let migrations: [Migration] = []

    /// Loads devices and their stored items; `embeddedBase` is the embedded
    /// backend's address, `http://127.0.0.1:7071`. `ownPorts` are refused as
    /// backends before anything leaves.
    package init(
        database: Database, sealer: Sealer, catalogue: Catalogue,
        recorder: Recorder, world: World, hub: EventHub,
        embeddedBase: String, ownPorts: Set<UInt16>
    ) async throws {
        preconditionFailure("not built yet")
    }

    // MARK: Devices

    /// Whether there is such a workspace; `main` always is.
    package func hasWorkspace(_ id: String) -> Bool {
        preconditionFailure("not built yet")
    }

    /// Newest first.
    package func devices(in workspace: String) async throws -> [Device] {
        preconditionFailure("not built yet")
    }

    /// Asked on every page: costs microseconds for a device in use, and one
    /// read for one that was not seen for long.
    package func device(
        _ id: String, in workspace: String
    ) async throws -> Device? {
        preconditionFailure("not built yet")
    }

    package func makeDevice(
        in workspace: String, label: String? = nil,
        build: Device.Build = .debug,
        biometrics: Device.Biometrics = Device.Biometrics()
    ) async throws -> Device {
        preconditionFailure("not built yet")
    }

    /// Changes what `change` changes; publishes `device.changed`.
    package func updateDevice(
        _ id: String, in workspace: String,
        _ change: @Sendable @escaping (inout Device) -> Void
    ) async throws -> Device {
        preconditionFailure("not built yet")
    }

    // MARK: An app on a device

    /// Where the app stands on this device, without moving it.
    package func situation(_ place: Place) async throws -> Situation {
        preconditionFailure("not built yet")
    }

    /// Shows `screen` (GET): a screen that needs a session and has none leads
    /// elsewhere, and so does one the app would not show now.
    package func open(_ place: Place, screen: String) async throws -> Opening {
        preconditionFailure("not built yet")
    }

    /// Runs the launch table as the splash does (also its Retry).
    package func launch(_ place: Place) async throws -> Outcome {
        preconditionFailure("not built yet")
    }

    /// Does an action with what was typed. A second one of the same name
    /// joins the first.
    package func act(
        _ place: Place, screen: String, action: String, form: [String: String]
    ) async throws -> Outcome {
        preconditionFailure("not built yet")
    }

    /// A cold start: what is not stored is forgotten, the splash is shown.
    package func relaunch(_ place: Place, kill: Bool) async throws {
        preconditionFailure("not built yet")
    }

    /// Kills the app in the middle of the action under way: its requests go
    /// on, the device never hears of the answers.
    package func killDuring(_ place: Place) async throws {
        preconditionFailure("not built yet")
    }

    /// Points the app at another backend; `base` and `settings` are the
    /// user's own.
    package func chooseBackend(
        _ place: Place, backend: String, base: String?,
        settings: [String: String]?
    ) async throws {
        preconditionFailure("not built yet")
    }

    // MARK: Storage

    package func items(_ place: Place) async throws -> [StoredItem] {
        preconditionFailure("not built yet")
    }

    /// The whole value; publishes `storage.revealed`.
    package func reveal(
        _ place: Place, key: String
    ) async throws -> String {
        preconditionFailure("not built yet")
    }

    package func write(
        _ place: Place, key: String, value: String
    ) async throws {
        preconditionFailure("not built yet")
    }

    package func forget(_ place: Place, key: String) async throws {
        preconditionFailure("not built yet")
    }

    package func forgetAll(_ place: Place) async throws {
        preconditionFailure("not built yet")
    }

    /// The whole value without an event, for judging and masking only.
    package func peek(
        _ place: Place, holding name: String
    ) async throws -> String? {
        preconditionFailure("not built yet")
    }

    /// Puts another access token in place of the stored one, which was ended
    /// by hand.
    package func replaceAccessToken(
        _ place: Place, with token: String, because: String
    ) async throws {
        preconditionFailure("not built yet")
    }

    // MARK: Sessions

    package func sessions(_ query: SessionQuery) async throws -> SessionPage {
        preconditionFailure("not built yet")
    }

    package func session(
        _ id: String, in workspace: String
    ) async throws -> Session? {
        preconditionFailure("not built yet")
    }

    package func history(
        ofSession id: String, in workspace: String
    ) async throws -> [SessionMoment] {
        preconditionFailure("not built yet")
    }

    /// Refreshes now, through the same single flight as a silent refresh.
    package func refresh(
        session id: String, in workspace: String
    ) async throws -> Session {
        preconditionFailure("not built yet")
    }

    /// Signs the device out of the app as its own logout would.
    package func signOut(session id: String, in workspace: String) async throws
    {
        preconditionFailure("not built yet")
    }

    /// Empties the workspace: devices, storage, sessions.
    package func reset(workspace: String) async throws {
        preconditionFailure("not built yet")
    }
}
