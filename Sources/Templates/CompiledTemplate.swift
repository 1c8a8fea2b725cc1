/// A template with its partials, ready to render in many tasks at once.
///
/// The library changes a template while it renders, so every rendering under
/// way has a copy of its own; copies come back and are used again.
final class CompiledTemplate: Sendable {
    let path: String
    private let text: [UInt8]
    private let partials: [String: [UInt8]]
    /// What of a model it mentions: the rest need not be written.
    let referencedNames: ReferencedNames
    private let pool = Pool<ParsedTemplate>()

    init(path: String, inlined: PartialInliner.Output) {
        self.path = path
        text = inlined.text
        partials = inlined.partials
        referencedNames = ReferencedNames(inlined.referencedNames)
    }

    /// Lends a copy that nobody else uses until it is returned.
    func takeCopy() throws(TemplateError) -> ParsedTemplate {
        if let copy = pool.take() { return copy }
        do { return try ParsedTemplate(text, partials: partials) } catch { throw self.error(error) }
    }

    func returnCopy(_ copy: ParsedTemplate) { pool.put(copy) }

    /// Renders into `copy`.
    func render(_ copy: ParsedTemplate, _ model: Model, body: ParsedTemplate? = nil)
        throws(TemplateError)
    { do { try copy.render(model, body: body) } catch { throw self.error(error) } }

    /// The file was fine when it was read, and an offset into the text with
    /// its partials is none into the file: what fails now has no place.
    private func error(_ failure: ParsedTemplate.Failure) -> TemplateError {
        TemplateError(file: path, line: nil, column: nil, detail: failure.detail)
    }
}
