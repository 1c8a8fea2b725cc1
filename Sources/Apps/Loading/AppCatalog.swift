package import FoundationEssentials
import Synchronization

/// The apps of one or more folders, read again when they change.
///
/// A broken manifest is listed with its error and harms no other. Readers get
/// a ready snapshot; one of them looks at the disk, at most five times a
/// second and without the lock.
package final class AppCatalog: Sendable {
    private let folders: [String]
    private let now: @Sendable () -> Date
    private let state: Mutex<State>

    /// How long a look at the disk is good for, in seconds.
    package static let scanInterval = 0.2

    /// Folders that hold one folder per app, in order of precedence: of two
    /// apps with one id the first folder's counts. `contracts` are those an
    /// embedded base may name, any if nil. `now` is the World's.
    package init(folders: [String], contracts: [String]? = nil, now: @escaping @Sendable () -> Date)
    {
        self.folders = folders
        self.now = now
        let shelf = ManifestScan(contracts: contracts).rescan(folders)
        state = Mutex(State(contents: Contents(shelf), scan: shelf, scannedAt: now()))
    }

    /// Every app and every broken one, by order and then name.
    package func entries() -> [Entry] { currentContents().entries }

    package func app(_ id: String) -> App? { currentContents().apps[id] }

    /// The manifest of `id` as it lies on the disk.
    package func manifest(ofApp id: String) -> [UInt8]? {
        _ = currentContents()
        let stamp = state.withLock { $0.scan.files[id] }
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
        var contents: Contents
        var scan: ManifestScan
        var scannedAt: Date
        /// How many looks have begun, and which of them was seen last.
        var scanCount = 0
        var lastAppliedScan = 0
        var observer: (@Sendable ([Change]) -> Void)?

        mutating func beginScan(_ moment: Date) -> PendingScan {
            scannedAt = moment
            scanCount += 1
            return PendingScan(number: scanCount, previous: scan)
        }
    }

    /// Looks at the disk now, whenever it was looked at last: what was
    /// written before is read after.
    package func rescan() {
        let moment = now()
        _ = performScan(state.withLock { $0.beginScan(moment) })
    }

    private func currentContents() -> Contents {
        let moment = now()
        let (snapshot, look) = state.withLock { state in
            let age = moment.timeIntervalSince(state.scannedAt)
            // A clock that was set back is looked past; whoever comes while
            // somebody looks is given the old one.
            return age >= Self.scanInterval || age < 0
                ? (state.contents, state.beginScan(moment)) : (state.contents, nil)
        }
        return look.map(self.performScan) ?? snapshot
    }

    private func performScan(_ look: PendingScan) -> Contents {
        let shelf = look.previous.rescan(folders)
        let (snapshot, before, observer) = state.withLock { state in
            let before = state.scan
            // A slower look must not undo a later one.
            if look.number > state.lastAppliedScan {
                state.lastAppliedScan = look.number
                if shelf.files != before.files {
                    state.scan = shelf
                    state.contents = Contents(shelf)
                    return (state.contents, before, state.observer)
                }
            }
            return (state.contents, before, nil)
        }
        observer?(shelf.changes(since: before))
        return snapshot
    }

    /// One look at the disk: what was known when it began.
    private struct PendingScan {
        var number: Int
        var previous: ManifestScan
    }

    /// What readers see; a class, so that handing it out copies nothing.
    private final class Contents: Sendable {
        let entries: [Entry]
        let apps: [String: App]

        init(_ shelf: ManifestScan) {
            entries = shelf.entries
            apps = shelf.apps
        }
    }
}
