import FoundationEssentials

/// Makes an HTML document self-contained: inlines what it loads from `/assets/`, and removes
/// scripts or inlines them too.
///
/// It supports only the forms used in Foyer's templates and style sheets, with double quotation
/// marks and absolute paths: `<link rel="stylesheet" href="…">`, `<script src="…" …></script>`,
/// `<img src="…"`, `<use href="file#id"`; and in style sheets `@import url(…);` and `url(…)`.
struct Inliner {
    /// Whether scripts are inlined instead of removed.
    var keepsScripts = false
    /// Loads the file at a path such as `/assets/screen.css`, with its media type.
    let loadFile: (String) -> (bytes: [UInt8], type: String)?

    /// The limit for one document, in bytes: a sheet that imports itself twice would double at each
    /// of eight levels.
    private static let sizeLimit = 8 << 20

    /// The number of bytes that may still be inlined.
    final class ByteBudget {
        private var remaining: Int

        init(_ count: Int) { remaining = count }

        /// Returns false if `count` bytes exceed the budget.
        func consume(_ count: Int) -> Bool {
            guard count <= remaining else { return false }
            remaining -= count
            return true
        }
    }

    func makeSelfContained(_ document: String) -> String {
        let budget = ByteBudget(Self.sizeLimit)
        var text = replacing(document, "<script src=", "</script>") {
            keepsScripts ? inlinedScript($0, budget) : ""
        }
        text = replacing(text, "<link rel=\"stylesheet\" href=\"", "\">") {
            "<style>\(inlinedStyleSheet(String($0), depth: 0, budget))</style>"
        }
        text = replacing(text, " src=\"/assets/", "\"") {
            " src=\"\(dataURL("/assets/\($0)", budget))\""
        }
        return inliningSVGs(text)
    }

    /// The script of `"/assets/….js" type="module">`.
    private func inlinedScript(_ reference: Substring, _ budget: ByteBudget) -> String {
        let parts = reference.split(separator: "\"")
        guard let file = parts.first.flatMap({ loadFile(String($0)) }),
            budget.consume(file.bytes.count)
        else { return "" }
        return "<script type=\"module\">\(String(decoding: file.bytes, as: UTF8.self))</script>"
    }

    // MARK: Style sheets

    /// A sheet with its imports inlined in place, as a browser applies them.
    private func inlinedStyleSheet(_ address: String, depth: Int, _ budget: ByteBudget) -> String {
        // The fixed cost also bounds recursion through empty files.
        guard depth < 8, let file = loadFile(address), budget.consume(file.bytes.count + 1_000)
        else { return "" }
        var text = String(decoding: file.bytes, as: UTF8.self)
        text = replacing(text, "@import url(", ");") { reference in
            inlinedStyleSheet(
                absoluteAddress(reference, relativeTo: address), depth: depth + 1, budget)
        }
        return replacing(text, "url(", ")") { reference in
            let target = absoluteAddress(reference, relativeTo: address)
            return target.hasPrefix("/assets/")
                ? "url(\"\(dataURL(target, budget))\")" : "url(\(reference))"
        }
    }

    /// Makes a path relative to `sheet` absolute. Fragments, URLs with a scheme and absolute paths
    /// are unchanged.
    private func absoluteAddress(_ reference: Substring, relativeTo sheet: String) -> String {
        let address = reference.filter { $0 != "\"" && $0 != "'" }
        guard !address.hasPrefix("/"), !address.hasPrefix("#"), !address.contains(":"),
            let end = sheet.lastIndex(of: "/")
        else { return String(address) }
        return sheet[...end] + address
    }

    /// The file as a `data:` URL (RFC 2397).
    private func dataURL(_ address: String, _ budget: ByteBudget) -> String {
        guard let file = loadFile(address), budget.consume(file.bytes.count) else { return address }
        let type = file.type.prefix { $0 != ";" }
        return "data:\(type);base64," + Data(file.bytes).base64EncodedString()
    }

    // MARK: SVG

    /// Embeds SVG files in the body and points `<use>` at them: no browser loads a `<use>` target
    /// from a `data:` URL.
    private func inliningSVGs(_ text: String) -> String {
        var files: [String] = []
        let linked = replacing(text, "<use href=\"/assets/", "\"") { reference in
            let parts = reference.split(separator: "#", maxSplits: 1)
            guard parts.count == 2 else { return "<use href=\"#\"" }
            if !files.contains(String(parts[0])) { files.append(String(parts[0])) }
            return "<use href=\"#\(parts[1])\""
        }
        let drawings = files.compactMap { name -> String? in
            guard let file = loadFile("/assets/\(name)") else { return nil }
            return String(decoding: file.bytes, as: UTF8.self)
        }
        guard !drawings.isEmpty, let end = linked.ranges(of: "</body>").last else { return linked }
        return linked[..<end.lowerBound]
            + "<div class=\"drawings\" hidden>\(drawings.joined())</div>"
            + linked[end.lowerBound...]
    }

    // MARK: Text

    /// Replaces every `open`…`close` with the result of `make` for the text between them.
    private func replacing(
        _ text: String, _ open: String, _ close: String, with make: (Substring) -> String
    ) -> String {
        var result = ""
        var remaining = text[...]
        while let start = remaining.firstRange(of: open),
            let end = remaining[start.upperBound...].firstRange(of: close)
        {
            result += remaining[..<start.lowerBound]
            result += make(remaining[start.upperBound..<end.lowerBound])
            remaining = remaining[end.upperBound...]
        }
        return result + remaining
    }
}
