import Apps
import Web

/// The state to restore an app on a device to.
struct AppStateSnapshot: Sendable {
    let instance: AppInstance
    let app: App
    let persisted: PersistedAppState
    /// Nil for an app in its first state.
    let transientJSON: JSON?

    /// The JSON that is sealed.
    static func makeJSON(
        _ persisted: PersistedAppState, _ transient: TransientAppState, of app: App
    ) -> JSON {
        [
            "app": .string(app.id), "kept": persisted.snapshotJSON,
            "shown": transient.snapshotJSON(of: app),
        ]
    }

    /// Throws a `Problem` if the manifest no longer has the screen.
    init(_ body: JSON, of instance: AppInstance, app: App) throws(Problem) {
        guard let json = body["kept"],
            let persisted = PersistedAppState(snapshotJSON: json, of: instance)
        else {
            throw Problem(
                status: 500, code: "damaged-state", title: "Couldn't read the stored state",
                detail: "It was written by another version. Take another snapshot.")
        }
        guard app.screen(persisted.screen) != nil else {
            throw Problem(
                status: 409, code: "screen-gone",
                title: "The app no longer has this screen",
                detail: "\(app.name)'s manifest has no screen "
                    + "\(persisted.screen), so this state cannot be restored.")
        }
        self.init(instance: instance, app: app, persisted: persisted, transientJSON: body["shown"])
    }

    init(instance: AppInstance, app: App, persisted: PersistedAppState, transientJSON: JSON?) {
        self.instance = instance
        self.app = app
        self.persisted = persisted
        self.transientJSON = transientJSON
    }
}
