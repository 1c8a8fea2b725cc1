import Apps
import Core

/// Publishes manifest changes on disk to open pages.
///
/// Every access to the catalog detects changes; while pages listen, this task polls for those
/// between accesses.
struct ManifestWatcher: Sendable {
    let catalog: AppCatalog
    let hub: EventHub
    let world: World

    /// Short enough not to be noticed by a user who saves a file and turns to the page.
    private static let pollInterval = Duration.milliseconds(500)

    /// Polls until the task is canceled.
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
            case .app(let app): "\(app.name) was reloaded"
            case .broken: "Manifest error in \(id)"
            case nil: "\(id) was removed"
            }
        return EventDraft(workspace: workspace, kind: .appsReloaded, app: id, title: title)
    }
}
