/// Renders a template with a model to UTF-8 text.
struct TemplateRenderer {
    /// Nested sections and partials where another partial may begin. More is a partial that
    /// contains itself without end.
    private static let maxDepth = 200
    private static let body = ["body"]

    private let files: [String: TemplateFile]
    private let template: TemplateFile
    /// Whether `{{{body}}}` is the template, not a member of the model.
    private var isInLayout = false
    private let model: EncodedModel
    /// The values of the enclosing sections, innermost last; the first is the model.
    private var contexts = [0]
    private var depth = 0
    private var output: [UInt8] = []
    /// The remaining output in bytes, approximately: a section counts as some bytes too, because
    /// nested sections over one list multiply, and so do partials.
    private var budget = 128 << 20

    static func render(
        _ template: TemplateFile, layout: TemplateFile?, _ model: EncodedModel,
        files: [String: TemplateFile]
    ) throws(TemplateError) -> [UInt8] {
        var renderer = TemplateRenderer(template, model, files)
        renderer.isInLayout = layout != nil
        try renderer.render((layout ?? template).nodes.get())
        return renderer.output
    }

    private init(_ template: TemplateFile, _ model: EncodedModel, _ files: [String: TemplateFile]) {
        self.files = files
        self.template = template
        self.model = model
        output.reserveCapacity(16 << 10)
    }

    // MARK: Nodes

    private mutating func render(_ nodes: [TemplateNode]) throws(TemplateError) {
        let nodes = nodes.span
        for index in nodes.indices {
            switch nodes[index] {
            case .text(let bytes):
                try spend(bytes.count)
                output += bytes
            case .value(let path, isEscaped: false) where isInLayout && path == Self.body:
                try renderBody()
            case .value(let path, let isEscaped):
                guard let value = value(at: path), let text = model.text(value) else { continue }
                try spend(64 + text.utf8.count)
                if isEscaped { appendEscaped(text) } else { output += text.utf8 }
            case .section(let path, let isInverted, let content):
                let value = value(at: path).flatMap { model.isTrue($0) ? $0 : nil }
                if isInverted {
                    if value == nil { try nest(content) }
                } else if let value {
                    try renderSection(value, content)
                }
            case .partial(let name, _):
                guard let file = files[name] else { continue }
                guard depth < Self.maxDepth else {
                    throw TemplateError(template.path, "partial \"\(name)\" never ends")
                }
                try nest(file.nodes.get())
            }
        }
    }

    private mutating func renderSection(_ value: Int, _ content: [TemplateNode])
        throws(TemplateError)
    {
        contexts.append(value)
        defer { contexts.removeLast() }
        try model.forEachElement(of: value) { element throws(TemplateError) in
            contexts[contexts.count - 1] = element
            try nest(content)
        }
    }

    /// Renders the template inside its layout.
    private mutating func renderBody() throws(TemplateError) {
        let outer = contexts
        contexts.removeLast(outer.count - 1)
        isInLayout = false
        try nest(template.nodes.get())
        isInLayout = true
        contexts = outer
    }

    private mutating func nest(_ nodes: [TemplateNode]) throws(TemplateError) {
        try spend(512)
        depth += 1
        try render(nodes)
        depth -= 1
    }

    private mutating func spend(_ bytes: Int) throws(TemplateError) {
        budget -= bytes
        guard budget >= 0 else {
            throw TemplateError(template.path, "it renders more than 128 MiB, or never ends")
        }
    }

    // MARK: Values

    /// "Any value that resolves the first part is the context of the rest" (mustache
    /// specification, interpolation).
    private func value(at path: [String]) -> Int? {
        guard let first = path.first else { return contexts.last }
        for context in contexts.reversed() {
            guard var found = model.member(first, of: context) else { continue }
            for name in path.dropFirst() {
                guard let next = model.member(name, of: found) else { return nil }
                found = next
            }
            return found
        }
        return nil
    }

    /// Appends `text`, escaped for HTML text and quoted attributes.
    private mutating func appendEscaped(_ text: String) {
        let bytes = text.utf8.span
        guard bytes.indices.contains(where: { Self.escape(bytes[$0]) != nil }) else {
            output += text.utf8
            return
        }
        for byte in text.utf8 {
            if let escape = Self.escape(byte) { output += escape.utf8 } else { output.append(byte) }
        }
    }

    private static func escape(_ byte: UInt8) -> String? {
        switch byte {
        case UInt8(ascii: "&"): "&amp;"
        case UInt8(ascii: "<"): "&lt;"
        case UInt8(ascii: ">"): "&gt;"
        case UInt8(ascii: "\""): "&quot;"
        case UInt8(ascii: "'"): "&#39;"
        default: nil
        }
    }
}
