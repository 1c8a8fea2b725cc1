import Synchronization

/// The Mustache templates of one or more folders.
///
/// A template is named by its path without `.mustache`: `console/home`,
/// `apps/atlas/login`. All are parsed at start; a file that changed is read
/// again at the next rendering, a new one is found and a deleted one gone.
/// Partials are named the same way; one that is missing is an error.
///
/// Any number of tasks may render at once.
package final class Templates: Sendable {
    private let folders: [Folder]
    private let interval: Duration
    private let state: Mutex<State>
    private let modelPool = Pool<Model>()

    private struct State {
        var catalog: TemplateCatalog
        var scannedAt = ContinuousClock.now
        /// One task looks at the disk; the others go on with what is known.
        var isScanning = false
        /// How many looks have begun, and which of them found `catalogue`.
        var scanCount = 0
        var lastAppliedScan = 0
    }

    /// `folders` in order of precedence. The disk is looked at no more often
    /// than every `interval`. Throws if a folder cannot be read; a file that
    /// does not parse is one of `problems()`.
    package init(folders: [Folder], interval: Duration = .milliseconds(200)) throws(TemplateError) {
        let scan = TemplateScan(folders)
        if let problem = scan.folderErrors.first { throw problem }
        self.folders = folders
        self.interval = interval
        state = Mutex(State(catalog: TemplateCatalog(scan)))
    }

    /// `folders` in order of precedence, none under a prefix.
    package convenience init(folders: [String]) throws(TemplateError) {
        try self.init(folders: folders.map { Folder(path: $0) })
    }

    /// Everything wrong now: files that do not parse, partials that are not
    /// there. By file and line.
    package func errors() -> [TemplateError] { currentCatalog().errors() }

    package func contains(_ name: String) -> Bool { currentCatalog().files[name] != nil }

    /// The templates whose names begin with `prefix`, by name: where each
    /// lies, and its text as it was written.
    package func sources(withPrefix prefix: String) -> [(name: String, path: String, text: String)]
    {
        currentCatalog().files.values.filter { $0.name.hasPrefix(prefix) }.sorted {
            $0.name < $1.name
        }.map { ($0.name, $0.path, String(decoding: $0.source, as: UTF8.self)) }
    }

    /// UTF-8 text. With `layout`, the layout is rendered with the same model
    /// and `{{{body}}}` is the rendered template. A fragment is rendered the
    /// same way: by the partial's name, without a layout.
    ///
    /// In the model true and false are sections, an absent value is false
    /// (and hides the same name further out), numbers are text, arrays are
    /// lists. Times are not for models: say them as text.
    package func render(_ name: String, _ model: some Encodable, layout: String? = nil)
        throws(TemplateError) -> [UInt8]
    {
        let catalogue = currentCatalog()
        let page = try catalogue.template(name)
        let frame: CompiledTemplate? = if let layout { try catalogue.template(layout) } else { nil }
        let data = try encode(model, for: page, in: frame)
        defer { if data.clear() { modelPool.put(data) } }
        let text = try page.takeCopy()
        defer { page.returnCopy(text) }
        try page.render(text, data)
        guard let frame else { return text.output }
        let framed = try frame.takeCopy()
        defer { frame.returnCopy(framed) }
        try frame.render(framed, data, body: text)
        return framed.output
    }

    private func encode(
        _ model: some Encodable, for page: CompiledTemplate, in frame: CompiledTemplate?
    ) throws(TemplateError) -> Model {
        let mentioned =
            frame.map { ReferencedNames(page.referencedNames, $0.referencedNames) }
            ?? page.referencedNames
        do {
            let data = try modelPool.take() ?? Model()
            try data.write(model, mentioned)
            return data
        } catch {
            throw TemplateError(
                file: page.path, line: nil, column: nil,
                detail: "its model \(type(of: model)) does not encode")
        }
    }

    /// What is on the disk, or was a moment ago.
    private func currentCatalog() -> TemplateCatalog {
        let (known, isDue) = state.withLock { state in
            let isDue = !state.isScanning && state.scannedAt.duration(to: .now) >= interval
            if isDue { state.isScanning = true }
            return (state.catalog, isDue)
        }
        guard isDue else { return known }
        defer { state.withLock { $0.isScanning = false } }
        return performScan()
    }

    /// Looks at the disk now, whenever it was looked at last: what was
    /// written before is rendered after.
    package func rescan() { _ = performScan() }

    private func performScan() -> TemplateCatalog {
        let (known, number) = state.withLock { state in
            state.scanCount += 1
            return (state.catalog, state.scanCount)
        }
        let scan = TemplateScan(folders)
        let found = known.matches(scan) ? known : TemplateCatalog(scan, reusing: known)
        return state.withLock { state in
            // A slower look must not undo a later one.
            guard number > state.lastAppliedScan else { return state.catalog }
            state.catalog = found
            state.lastAppliedScan = number
            state.scannedAt = .now
            return found
        }
    }
}
