package import FoundationEssentials
import Synchronization

/// The apps of one or more folders, reloaded when they change.
///
/// A broken manifest is listed with its error and does not affect others. Readers get the current
/// contents; one of them rescans the disk, at most five times a second and outside the lock.
package final class AppCatalog: Sendable {
    private let folders: [String]
    private let now: @Sendable () -> Date
    private let state: Mutex<State>

    /// Minimum interval between scans, in seconds.
    package static let scanInterval = 0.2

    /// `folders` hold one folder per app, in order of precedence for duplicate ids.
    ///
    /// `contracts` are those an embedded base may name, any if nil. `now` is the World's clock.
    package init(folders: [String], contracts: [String]? = nil, now: @escaping @Sendable () -> Date)
    {
        self.folders = folders
        self.now = now
        let scan = ManifestScan(contracts: contracts).rescan(folders)
        state = Mutex(State(contents: Contents(scan), scan: scan, scannedAt: now()))
    }

    /// Every app and every broken manifest, by order and then name.
    package func entries() -> [Entry] { currentContents().entries }

    package func app(_ id: String) -> App? { currentContents().apps[id] }

    /// The current manifest file of `id`.
    package func manifest(ofApp id: String) -> [UInt8]? {
        _ = currentContents()
        let file = state.withLock { $0.scan.files[id] }
        return file.flatMap { try? $0.read() }
    }

    package enum Entry: Sendable {
        case app(App)
        case broken(id: String, ManifestError)
    }

    /// An app whose manifest was added, changed or removed; a nil entry means removed.
    package struct Change: Sendable {
        package var id: String
        package var entry: Entry?
    }

    /// Sets the one observer, called with the changes of a scan on the scanning thread.
    package func observe(_ handler: @escaping @Sendable ([Change]) -> Void) {
        state.withLock { $0.observer = handler }
    }

    // MARK: Rescanning

    private struct State {
        var contents: Contents
        var scan: ManifestScan
        var scannedAt: Date
        /// Number of scans begun.
        var scanCount = 0
        var lastAppliedScan = 0
        var observer: (@Sendable ([Change]) -> Void)?

        mutating func beginScan(_ date: Date) -> PendingScan {
            scannedAt = date
            scanCount += 1
            return PendingScan(number: scanCount, previous: scan)
        }
    }

    /// Scans the disk immediately, so that earlier writes are visible afterwards.
    package func rescan() {
        let date = now()
        _ = performScan(state.withLock { $0.beginScan(date) })
    }

    private func currentContents() -> Contents {
        let date = now()
        let (contents, pendingScan) = state.withLock { state in
            let age = date.timeIntervalSince(state.scannedAt)
            // A negative age means that the clock was set back. Beginning the scan resets
            // `scannedAt`, so that concurrent readers get the old contents.
            return age >= Self.scanInterval || age < 0
                ? (state.contents, state.beginScan(date)) : (state.contents, nil)
        }
        return pendingScan.map(self.performScan) ?? contents
    }

    private func performScan(_ pendingScan: PendingScan) -> Contents {
        let scan = pendingScan.previous.rescan(folders)
        let (contents, previous, observer) = state.withLock { state in
            let previous = state.scan
            // A slow scan must not overwrite a later one.
            if pendingScan.number > state.lastAppliedScan {
                state.lastAppliedScan = pendingScan.number
                if scan.files != previous.files {
                    state.scan = scan
                    state.contents = Contents(scan)
                    return (state.contents, previous, state.observer)
                }
            }
            return (state.contents, previous, nil)
        }
        observer?(scan.changes(since: previous))
        return contents
    }

    /// A scan in progress, with the result of the one before.
    private struct PendingScan {
        var number: Int
        var previous: ManifestScan
    }

    /// The published contents; a class, so that readers copy nothing.
    private final class Contents: Sendable {
        let entries: [Entry]
        let apps: [String: App]

        init(_ scan: ManifestScan) {
            entries = scan.entries
            apps = scan.apps
        }
    }
}

/// The valid apps and the embedded contracts they use.
extension AppCatalog {
    /// Every valid app, in order.
    package var apps: [App] {
        entries().compactMap { entry in
            if case .app(let app) = entry { app } else { nil }
        }
    }

    /// The first embedded contract an app uses; nil if it uses none.
    package func contract(ofApp id: String) -> String? {
        app(id)?.backends.lazy.compactMap(\.contract).first
    }

    /// The embedded contract of an app's backend; nil for an external one.
    package func contract(ofBackend id: String, app: String) -> String? {
        self.app(app)?.backends.first { $0.id == id }?.contract
    }

    /// The app that uses an embedded contract; nil if none does.
    package func app(withContract contract: String) -> App? {
        apps.first { $0.id == contract } ?? apps.first { self.contract(ofApp: $0.id) == contract }
    }

    /// Every text of the app `id` that users see; empty if the app is missing or broken.
    package func texts(ofApp id: String) -> [ManifestText] { app(id)?.texts ?? [] }
}
