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
    /// The values of the enclosing sections, innermost last; the first is the model.
    private var contexts: [ModelValue]
    private var depth = 0
    private var output: [UInt8] = []
    /// The remaining output in bytes, approximately: a section counts as some bytes too, because
    /// nested sections over one list multiply, and so do partials.
    private var budget = 128 << 20

    static func render(
        _ template: TemplateFile, layout: TemplateFile?, _ model: ModelValue,
        files: [String: TemplateFile]
    ) throws(TemplateError) -> [UInt8] {
        var renderer = TemplateRenderer(template, model, files)
        renderer.isInLayout = layout != nil
        try renderer.render((layout ?? template).nodes.get())
        return renderer.output
    }

    private init(_ template: TemplateFile, _ model: ModelValue, _ files: [String: TemplateFile]) {
        self.files = files
        self.template = template
        contexts = [model]
        output.reserveCapacity(16 << 10)
    }

    // MARK: Nodes

    private mutating func render(_ nodes: [TemplateNode]) throws(TemplateError) {
        for node in nodes {
            switch node {
            case .text(let bytes):
                try spend(bytes.count)
                output += bytes
            case .value(let path, isEscaped: false) where isInLayout && path == Self.body:
                try renderBody()
            case .value(let path, let isEscaped):
                guard case .text(let text)? = value(at: path) else { continue }
                try spend(64 + text.utf8.count)
                if isEscaped { appendEscaped(text) } else { output += text.utf8 }
            case .section(let path, let isInverted, let content):
                let value = value(at: path)
                if isInverted {
                    if value?.isTrue != true { try nest(content) }
                } else if let value, value.isTrue {
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

    private mutating func renderSection(_ value: ModelValue, _ content: [TemplateNode])
        throws(TemplateError)
    {
        contexts.append(value)
        defer { contexts.removeLast() }
        guard case .node(let node) = value, node.isList else { return try nest(content) }
        for element in node.members {
            contexts[contexts.count - 1] = element.value
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
    private func value(at path: [String]) -> ModelValue? {
        guard let first = path.first else { return contexts.last }
        for index in contexts.indices.reversed() {
            guard var found = contexts[index][first] else { continue }
            for name in path.dropFirst() {
                guard let next = found[name] else { return nil }
                found = next
            }
            return found
        }
        return nil
    }

    /// Escapes for HTML text and quoted attributes.
    private mutating func appendEscaped(_ text: String) {
        guard text.utf8.contains(where: Self.isSpecial) else {
            output += text.utf8
            return
        }
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "&"): output += "&amp;".utf8
            case UInt8(ascii: "<"): output += "&lt;".utf8
            case UInt8(ascii: ">"): output += "&gt;".utf8
            case UInt8(ascii: "\""): output += "&quot;".utf8
            case UInt8(ascii: "'"): output += "&#39;".utf8
            default: output.append(byte)
            }
        }
    }

    private static func isSpecial(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""),
            UInt8(ascii: "'"):
            true
        default: false
        }
    }
}
