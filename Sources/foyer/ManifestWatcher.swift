import Apps
import Core

/// Tells open pages that a manifest changed on the disk.
///
/// Every look at the apps notices a change; while pages listen somebody has
/// to look although nobody asks.
struct ManifestWatcher: Sendable {
    let catalog: AppCatalog
    let hub: EventHub
    let world: World

    /// What a person who saved a file and turned to the page does not notice.
    private static let pollInterval = Duration.milliseconds(500)

    /// Looks until the task is cancelled.
    func run() async {
        catalog.observe { changes in
            for workspace in hub.lastIDs().keys.sorted() {
                for change in changes { hub.publish(change.makeEvent(workspace)) }
            }
        }
        while !Task.isCancelled {
            try? await world.sleep(Self.pollInterval)
            if hub.hasListeners { _ = catalog.entries() }
        }
    }
}

extension AppCatalog.Change {
    fileprivate func makeEvent(_ workspace: String) -> EventDraft {
        let title =
            switch entry {
            case .app(let app): "\(app.name) was read again"
            case .broken: "The manifest of \(id) has an error"
            case nil: "\(id) is gone"
            }
        return EventDraft(workspace: workspace, kind: .appsReloaded, app: id, title: title)
    }
}
