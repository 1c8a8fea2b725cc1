import Synchronization

/// A template with its partials, which many tasks can render at once.
///
/// The library modifies a template while rendering it, so each rendering has its own copy; copies
/// are pooled.
final class CompiledTemplate: Sendable {
    let path: String
    private let text: [UInt8]
    private let partials: [String: [UInt8]]
    /// The model members it uses: others need not be encoded.
    let referencedNames: ReferencedNames
    private let pool = Pool<ParsedTemplate>()

    init(path: String, inlined: PartialInliner.Output) {
        self.path = path
        text = inlined.text
        partials = inlined.partials
        referencedNames = ReferencedNames(inlined.referencedNames)
    }

    /// A copy for exclusive use until it is returned.
    func takeCopy() throws(TemplateError) -> ParsedTemplate {
        if let copy = pool.take() { return copy }
        do { return try ParsedTemplate(text, partials: partials) } catch { throw self.error(error) }
    }

    func returnCopy(_ copy: ParsedTemplate) { pool.put(copy) }

    func render(_ copy: ParsedTemplate, _ model: Model, body: ParsedTemplate? = nil)
        throws(TemplateError)
    { do { try copy.render(model, body: body) } catch { throw self.error(error) } }

    /// Rendering errors have no position: the file itself parsed, and an offset into the text with
    /// its partials is not an offset into the file.
    private func error(_ failure: ParsedTemplate.Failure) -> TemplateError {
        TemplateError(file: path, line: nil, column: nil, detail: failure.detail)
    }
}

/// A pool of reusable objects, each lent to one rendering at a time.
final class Pool<Element: Sendable>: Sendable {
    /// Limits what a burst of renderings leaves behind.
    private static var capacity: Int { 8 }

    private let elements = Mutex<[Element]>([])

    /// Nil when all are in use.
    func take() -> Element? { elements.withLock { $0.popLast() } }

    func put(_ element: Element) {
        elements.withLock { elements in
            if elements.count < Self.capacity { elements.append(element) }
        }
    }
}
