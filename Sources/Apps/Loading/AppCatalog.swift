import Core
package import FoundationEssentials
import Synchronization
package import TableSchemas

/// The apps of one or more folders, read at the first access and reloaded when they change.
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
        state = Mutex(State(scan: ManifestScan(contracts: contracts)))
    }

    /// Every app and every broken manifest: the user's own first, then by order and name.
    package func entries() -> [Entry] { currentScan().entries }

    package func app(_ id: String) -> App? { currentScan().app(id) }

    /// The current manifest file of `id`.
    package func manifest(ofApp id: String) -> [UInt8]? {
        currentScan().files[id].flatMap { try? $0.read() }
    }

    /// A folder of `apps/`: the app, or why its manifest cannot be read.
    package enum Entry: Sendable {
        case app(App)
        case broken(id: String, ManifestError)

        package var id: String {
            switch self {
            case .app(let app): app.id
            case .broken(let id, _): id
            }
        }

        /// nil if the manifest is broken.
        package var app: App? { if case .app(let app) = self { app } else { nil } }
    }

    /// What the console shows of an app, whether its manifest is valid or not.
    package func identity(ofApp id: String) -> AppIdentity {
        currentScan().identities[id] ?? AppIdentity()
    }

    /// Names every app whose manifest has errors: `Manifest errors in 2 apps: Raft (raft), mast`;
    /// nil if there is none.
    package var brokenAppsText: String? {
        let names = entries().compactMap { entry -> String? in
            guard case .broken(let id, _) = entry else { return nil }
            return identity(ofApp: id).name.map { "\($0) (\(id))" } ?? id
        }
        guard !names.isEmpty else { return nil }
        return
            (names.count == 1 ? "Manifest errors in " : "Manifest errors in \(names.count) apps: ")
            + names.joined(separator: ", ")
    }

    /// Whether the app is one of the user's own.
    package func isOwn(_ id: String) -> Bool { currentScan().files[id]?.isOwn ?? false }

    /// An app whose manifest was added, changed or removed; a nil entry means removed.
    package struct Change: Sendable {
        package var id: String
        package var entry: Entry?
    }

    /// Sets the one observer, called with the changes of a scan on the scanning thread.
    package func observe(_ handler: @escaping @Sendable ([Change]) -> Void) {
        state.withLock { $0.observer = handler }
    }

    // MARK: The user's own folder

    /// Where the user's own apps are; nil if there is no such folder.
    package var ownFolder: String? { folders.count > 1 ? folders[1] : nil }

    /// The template of the screens of an app without its own templates.
    var plainScreen: String? {
        folders.first.flatMap { folder in
            (try? FolderReader.read("screens/plain.mustache", in: folder + "/..", atMost: 1 << 16))
                .map { String(decoding: $0, as: UTF8.self) }
        }
    }

    // MARK: Rescanning

    private struct State {
        /// The current contents; empty before the first scan.
        var scan: ManifestScan
        /// Nil before the first scan.
        var scannedAt: Date?
        /// Number of scans begun.
        var scanCount = 0
        var lastAppliedScan = 0
        var observer: (@Sendable ([Change]) -> Void)?
    }

    /// Scans the disk immediately, so that earlier writes are visible afterwards.
    package func rescan() { _ = currentScan(isForced: true) }

    private func currentScan(isForced: Bool = false) -> ManifestScan {
        let date = now()
        let (previous, number) = state.withLock { state -> (ManifestScan, Int?) in
            guard let scannedAt = state.scannedAt else {
                // All readers need the first scan, so the others wait for it.
                state.scan = state.scan.rescan(folders)
                state.scannedAt = date
                return (state.scan, nil)
            }
            let age = date.timeIntervalSince(scannedAt)
            // A negative age means that the clock was set back.
            guard isForced || age >= Self.scanInterval || age < 0 else { return (state.scan, nil) }
            // Reset before the scan, so that concurrent readers get the old contents.
            state.scannedAt = date
            state.scanCount += 1
            return (state.scan, state.scanCount)
        }
        guard let number else { return previous }
        let scan = previous.rescan(folders)
        let (current, notify) = state.withLock { state -> (ManifestScan, (@Sendable () -> Void)?) in
            // A slow scan must not overwrite a later one.
            guard number > state.lastAppliedScan else { return (state.scan, nil) }
            state.lastAppliedScan = number
            let replaced = state.scan
            guard scan.files != replaced.files else { return (replaced, nil) }
            state.scan = scan
            guard let observer = state.observer else { return (scan, nil) }
            return (scan, { observer(scan.changes(since: replaced)) })
        }
        notify?()
        return current
    }

    // MARK: Apps and their contracts

    /// Every valid app, in order.
    package var apps: [App] { entries().compactMap(\.app) }

    /// The first embedded contract an app uses; nil if it uses none.
    package func contract(ofApp id: String) -> String? {
        app(id)?.backends.lazy.compactMap(\.contract).first
    }

    /// The embedded contract of an app's backend; nil for an external one.
    package func contract(ofBackend id: String, app: String) -> String? {
        self.app(app)?.backends.first { $0.id == id }?.contract
    }

    /// The tables that apps declare for an embedded contract, the user's own apps first.
    package func tables(ofContract id: String) -> [TableSchema] {
        apps.flatMap(\.backends).filter { $0.contract == id }.flatMap(\.tables)
    }

    /// The app that uses an embedded contract; nil if none does.
    package func app(withContract contract: String) -> App? {
        apps.first { $0.id == contract } ?? apps.first { self.contract(ofApp: $0.id) == contract }
    }
}
