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
    /// apps with one id the first folder's counts. `contracts` are those an
    /// embedded base may name, any if nil. `now` is the World's.
    package init(folders: [String], contracts: [String]? = nil, now: @escaping @Sendable () -> Date)
    {
        self.folders = folders
        self.now = now
        let shelf = Shelf(contracts: contracts).again(folders)
        state = Mutex(State(snapshot: Snapshot(shelf), shelf: shelf, looked: now()))
    }

    /// Every app and every broken one, by order and then name.
    package func entries() -> [Entry] { snapshot().entries }

    package func app(_ id: String) -> App? { snapshot().apps[id] }

    /// The manifest of `id` as it lies on the disk.
    package func manifest(ofApp id: String) -> [UInt8]? {
        _ = snapshot()
        let stamp = state.withLock { $0.shelf.stamps[id] }
        return stamp.flatMap { try? $0.read() }
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
        /// How many looks have begun, and which of them was seen last.
        var looks = 0
        var found = 0
        var observer: (@Sendable ([Change]) -> Void)?

        mutating func begin(_ moment: Date) -> Look {
            looked = moment
            looks += 1
            return Look(number: looks, old: shelf)
        }
    }

    /// Looks at the disk now, whenever it was looked at last: what was
    /// written before is read after.
    package func lookAgain() {
        let moment = now()
        _ = look(state.withLock { $0.begin(moment) })
    }

    private func snapshot() -> Snapshot {
        let moment = now()
        let (snapshot, look) = state.withLock { state in
            let age = moment.timeIntervalSince(state.looked)
            // A clock that was set back is looked past; whoever comes while
            // somebody looks is given the old one.
            return age >= Self.freshness || age < 0
                ? (state.snapshot, state.begin(moment)) : (state.snapshot, nil)
        }
        return look.map(self.look) ?? snapshot
    }

    private func look(_ look: Look) -> Snapshot {
        let shelf = look.old.again(folders)
        let (snapshot, before, observer) = state.withLock { state in
            let before = state.shelf
            // A slower look must not undo a later one.
            if look.number > state.found {
                state.found = look.number
                if shelf.stamps != before.stamps {
                    state.shelf = shelf
                    state.snapshot = Snapshot(shelf)
                    return (state.snapshot, before, state.observer)
                }
            }
            return (state.snapshot, before, nil)
        }
        observer?(shelf.changes(since: before))
        return snapshot
    }

    /// One look at the disk: what was known when it began.
    private struct Look {
        var number: Int
        var old: Shelf
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
