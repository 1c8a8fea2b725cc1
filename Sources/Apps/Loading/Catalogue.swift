package import FoundationEssentials
import Synchronization

/// The apps of one or more folders, read again when they change.
///
/// A broken manifest is listed with its error and harms no other. Readers get
/// a ready snapshot; one of them looks at the disk, at most five times a
/// second and without the lock.
package final class Catalogue: Sendable {
    private let folders: [String]
    private let now: @Sendable () -> Date
    private let state: Mutex<State>

    /// How long a look at the disk is good for, in seconds.
    package static let freshness = 0.2

    /// Folders that hold one folder per app, in order of precedence: of two
    /// apps with one id the first folder's counts. `now` is the World's.
    package init(
        folders: [String], now: @escaping @Sendable () -> Date
    ) {
        self.folders = folders
        self.now = now
        let shelf = Shelf().again(folders)
        state = Mutex(
            State(snapshot: Snapshot(shelf), shelf: shelf, looked: now()))
    }

    /// Every app and every broken one, by order and then name.
    package func entries() -> [Entry] { snapshot().entries }

    package func app(_ id: String) -> App? { snapshot().apps[id] }

    /// The manifest of `id` as it lies on the disk.
    func manifest(ofApp id: String) -> [UInt8]? {
        _ = snapshot()
        let stamp = state.withLock { $0.shelf.stamps[id] }
        return stamp.flatMap {
            FileManager.default.contents(atPath: $0.file)
        }.map { [UInt8]($0) }
    }

    package enum Entry: Sendable {
        case app(App)
        case broken(id: String, ManifestError)
    }

    /// An app whose manifest came, changed or went: nil is gone.
    package struct Change: Sendable {
        package var id: String
        package var entry: Entry?
    }

    /// Has `note` called with what a look at the disk found changed, on
    /// whatever thread looked; there is one observer.
    package func observe(_ note: @escaping @Sendable ([Change]) -> Void) {
        state.withLock { $0.observer = note }
    }

    // MARK: Looking again

    private struct State {
        var snapshot: Snapshot
        var shelf: Shelf
        var looked: Date
        var observer: (@Sendable ([Change]) -> Void)?
    }

    private func snapshot() -> Snapshot {
        let moment = now()
        let (snapshot, stale) = state.withLock { state in
            let age = moment.timeIntervalSince(state.looked)
            // A clock that was set back is looked past.
            guard age >= Self.freshness || age < 0 else {
                return (state.snapshot, nil as Shelf?)
            }
            // Whoever comes while we look is given the old one.
            state.looked = moment
            return (state.snapshot, state.shelf)
        }
        guard let stale else { return snapshot }
        let shelf = stale.again(folders)
        guard shelf.stamps != stale.stamps else { return snapshot }
        let fresh = Snapshot(shelf)
        let observer = state.withLock { state in
            // A slower look must not undo a later one.
            guard state.looked == moment else {
                return nil as (@Sendable ([Change]) -> Void)?
            }
            state.shelf = shelf
            state.snapshot = fresh
            return state.observer
        }
        observer?(shelf.changes(since: stale))
        return fresh
    }

    /// What readers see; a class, so that handing it out copies nothing.
    private final class Snapshot: Sendable {
        let entries: [Entry]
        let apps: [String: App]

        init(_ shelf: Shelf) {
            entries = shelf.entries
            apps = shelf.apps
        }
    }
}
