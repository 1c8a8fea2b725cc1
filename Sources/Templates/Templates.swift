import Synchronization

/// The Mustache templates of one or more folders.
///
/// A template is named by its path without `.mustache`: `console/home`, `apps/atlas/login`. It is
/// parsed at its first use; a changed file is reloaded at the next rendering, and added and deleted
/// files are noticed. Partials are named the same way; a missing one is an error.
///
/// Any number of tasks may render at once.
package final class Templates: Sendable {
    private let folders: [Folder]
    private let interval: Duration
    private let state: Mutex<State>

    private struct State {
        var catalog: TemplateCatalog
        var scannedAt = ContinuousClock.now
        /// The end of the last scan that found a change.
        var changedAt = ContinuousClock.now
        /// Whether the last scan was so much later that a change after it has another time: the
        /// resolution of file systems is up to 2 s.
        var isSettled = false
        /// One task scans the disk; the others use the current catalog.
        var isScanning = false
        /// Number of changes since the start.
        var version = 0
        /// Number of scans begun.
        var scanCount = 0
        var lastAppliedScan = 0
    }

    /// `folders` are in order of precedence. The disk is scanned at most once per `interval`.
    ///
    /// Throws if a folder cannot be read; a file that does not parse is one of `errors()`.
    package init(folders: [Folder], interval: Duration = .milliseconds(200)) throws(TemplateError) {
        let scan = TemplateScan(folders)
        if let error = scan.folderErrors.first { throw error }
        self.folders = folders
        self.interval = interval
        state = Mutex(State(catalog: TemplateCatalog(scan)))
    }

    /// All current errors, by file and line: files that do not parse, missing partials.
    package func errors() -> [TemplateError] { currentCatalog().errors() }

    package func contains(_ name: String) -> Bool { currentCatalog().files[name] != nil }

    /// A number that is greater after a template has changed.
    package var version: Int {
        _ = currentCatalog()
        return state.withLock(\.version)
    }

    /// The templates whose names begin with `prefix`, sorted by name, with their path and source.
    package func sources(withPrefix prefix: String) -> [(name: String, path: String, text: String)]
    {
        currentCatalog().files.values.filter { $0.name.hasPrefix(prefix) }.sorted {
            $0.name < $1.name
        }.map { ($0.name, $0.path, String(decoding: $0.source, as: UTF8.self)) }
    }

    /// Renders a template to UTF-8 text.
    ///
    /// With `layout`, the layout is rendered with the same model and `{{{body}}}` is the rendered
    /// template. A fragment is rendered the same way: by the partial's name, without a layout.
    ///
    /// In the model, booleans control sections, an absent value is false (and hides the same name
    /// further out), numbers are text, arrays are lists, and `list.any` is true for a list with
    /// elements. Times must be formatted as text.
    package func render(_ name: String, _ model: some Encodable, layout: String? = nil)
        throws(TemplateError) -> [UInt8]
    {
        let catalog = currentCatalog()
        let template = try catalog.template(name)
        var names = try catalog.referencedNames(of: template)
        var layoutTemplate: TemplateFile?
        if let layout {
            let file = try catalog.template(layout)
            names = ReferencedNames(names, try catalog.referencedNames(of: file))
            layoutTemplate = file
        }
        let encoded: EncodedModel
        do { encoded = try EncodedModel(model, names) } catch {
            throw TemplateError(template.path, "its model \(type(of: model)) could not be encoded")
        }
        return try TemplateRenderer.render(
            template, layout: layoutTemplate, encoded, files: catalog.files)
    }

    /// The model with those of its deferred members that one of these templates refers to.
    package func resolve(_ model: TemplateModel, for templates: [String]) async throws
        -> TemplateModel
    {
        let catalog = currentCatalog()
        let names = try templates.map { name throws(TemplateError) in
            try catalog.referencedNames(of: catalog.template(name))
        }
        return try await model.resolved(
            for: names.reduce(ReferencedNames([]), ReferencedNames.init))
    }

    /// The current templates, at most `interval` old.
    private func currentCatalog() -> TemplateCatalog {
        let (catalog, isDue) = state.withLock { state in
            let isDue = !state.isScanning && state.scannedAt.duration(to: .now) >= interval
            if isDue { state.isScanning = true }
            return (state.catalog, isDue)
        }
        guard isDue else { return catalog }
        defer { state.withLock { $0.isScanning = false } }
        return performScan()
    }

    /// Scans the disk immediately, so that earlier writes are rendered afterwards.
    package func rescan() { _ = performScan() }

    private func performScan() -> TemplateCatalog {
        let startedAt = ContinuousClock.now
        let (current, number, isSettled) = state.withLock { state in
            state.scanCount += 1
            return (state.catalog, state.scanCount, state.isSettled)
        }
        if isSettled, current.isCurrent() {
            state.withLock { $0.scannedAt = .now }
            return current
        }
        let scan = TemplateScan(folders)
        let updated = current.matches(scan) ? current : TemplateCatalog(scan, reusing: current)
        return state.withLock { state in
            // A slow scan must not overwrite a later one.
            guard number > state.lastAppliedScan else { return state.catalog }
            if state.catalog !== updated {
                state.version += 1
                state.changedAt = .now
            }
            state.isSettled = state.changedAt.duration(to: startedAt) > .seconds(3)
            state.catalog = updated
            state.lastAppliedScan = number
            state.scannedAt = .now
            return updated
        }
    }
}

extension Templates {
    /// A folder of templates and the prefix of their names.
    package struct Folder: Sendable, Equatable {
        package var path: String
        /// With `apps`, the file `atlas/login.mustache` is `apps/atlas/login`. No trailing slash.
        package var prefix: String

        package init(path: String, prefix: String = "") {
            self.path = path
            self.prefix = prefix
        }
    }
}

/// An error in a template, with its location.
package struct TemplateError: Error, Sendable, Equatable {
    /// The path of the template or folder.
    package var file: String
    /// From 1; nil if the error concerns the entire file or folder.
    package var line: Int?
    /// From 1, in Unicode characters; nil with `line`.
    package var column: Int?
    package var detail: String

    /// An error of an entire file or folder.
    package init(_ path: String, _ detail: String) {
        file = path
        self.detail = detail
    }

    /// `offset` is in bytes from the start of `source`.
    init(_ path: String, _ detail: String, at offset: Int, in source: [UInt8]) {
        self.init(path, detail)
        let before = source[..<offset]
        let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        line = 1 + before.count { $0 == 0x0A }
        // UTF-8 continuation bytes are 10xxxxxx.
        column = 1 + before[start...].count { $0 & 0xC0 != 0x80 }
    }
}

extension TemplateError: CustomStringConvertible {
    /// `file:line:column: detail`, as compilers write it.
    package var description: String {
        guard let line, let column else { return "\(file): \(detail)" }
        return "\(file):\(line):\(column): \(detail)"
    }
}
