import Apps
import Surroundings

/// Tells open pages that a manifest changed on the disk.
///
/// Every look at the apps notices a change; while pages listen somebody has
/// to look although nobody asks.
struct AppsWatch: Sendable {
    let catalogue: Catalogue
    let hub: EventHub
    let world: World

    /// What a person who saved a file and turned to the page does not notice.
    private static let pause = Duration.milliseconds(500)

    /// Looks until the task is cancelled.
    func run() async {
        catalogue.observe { changes in
            for workspace in hub.workspaces().keys.sorted() {
                for change in changes { hub.publish(change.told(workspace)) }
            }
        }
        while !Task.isCancelled {
            try? await world.sleep(Self.pause)
            if hub.isListenedTo { _ = catalogue.entries() }
        }
    }
}

extension Catalogue.Change {
    fileprivate func told(_ workspace: String) -> EventDraft {
        let title =
            switch entry {
            case .app(let app): "\(app.name) was read again"
            case .broken: "The manifest of \(id) has an error"
            case nil: "\(id) is gone"
            }
        return EventDraft(workspace: workspace, kind: .appsRead, app: id, title: title)
    }
}
