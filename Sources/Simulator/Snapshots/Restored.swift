import Apps
import Web

/// How an app on a device is to be again.
struct Restored: Sendable {
    let place: Place
    let app: App
    let kept: Kept
    /// Nil for an app that is only just started.
    let shown: JSON?

    /// What is sealed.
    static func body(_ kept: Kept, _ shown: Shown, of app: App) -> JSON {
        ["app": .string(app.id), "kept": kept.whole, "shown": shown.whole(of: app)]
    }

    /// Throws a `Problem` if the manifest no longer has what it speaks of.
    init(_ body: JSON, of place: Place, app: App) throws(Problem) {
        guard let json = body["kept"], let kept = Kept(whole: json, of: place) else {
            throw Problem(
                status: 500, code: "damaged-state", title: "What was kept cannot be read",
                detail: "It was written by another version. Take another.")
        }
        guard app.screen(kept.screen) != nil else {
            throw Problem(
                status: 409, code: "screen-gone",
                title: "The app no longer has the screen it stood on",
                detail: "\(app.name)'s manifest has no screen "
                    + "\(kept.screen) any more, so this cannot be put back.")
        }
        self.init(place: place, app: app, kept: kept, shown: body["shown"])
    }

    init(place: Place, app: App, kept: Kept, shown: JSON?) {
        self.place = place
        self.app = app
        self.kept = kept
        self.shown = shown
    }
}
