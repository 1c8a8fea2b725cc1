import FoundationEssentials
import Web

/// Makes a document of ours stand alone: what it fetches from `/assets/` is
/// put into it, and what runs is taken out.
///
/// It knows the forms our own templates and sheets write, with double
/// quotation marks and whole paths: `<link rel="stylesheet" href="…">`,
/// `<script src="…" …></script>`, `<img src="…"`, `<use href="file#id"`; and
/// of style sheets `@import url(…);` and `url(…)`.
struct Inliner {
    /// The file at an address such as `/assets/screen.css`, with its type.
    let loadFile: (String) -> (bytes: [UInt8], type: String)?

    /// What may be put into one document, in bytes: a sheet that imports
    /// itself twice would double eight times.
    private static let sizeLimit = 8 << 20

    /// How much more may be put into a document.
    final class ByteBudget {
        private var remaining: Int

        init(_ count: Int) { remaining = count }

        /// Whether there was room for `count` bytes.
        func consume(_ count: Int) -> Bool {
            guard count <= remaining else { return false }
            remaining -= count
            return true
        }
    }

    func makeSelfContained(_ document: String) -> String {
        let room = ByteBudget(Self.sizeLimit)
        var text = removing(document, from: "<script src=", to: "</script>")
        text = replacing(text, "<link rel=\"stylesheet\" href=\"", "\">") {
            "<style>\(inlinedStyleSheet(String($0), depth: 0, room))</style>"
        }
        text = replacing(text, " src=\"/assets/", "\"") {
            " src=\"\(dataURL("/assets/\($0)", room))\""
        }
        return inliningSVGs(text)
    }

    // MARK: Style sheets

    /// A sheet with what it imports before it, as a browser reads them.
    private func inlinedStyleSheet(_ address: String, depth: Int, _ room: ByteBudget) -> String {
        // What is empty costs a step all the same.
        guard depth < 8, let file = loadFile(address), room.consume(file.bytes.count + 1_000) else {
            return ""
        }
        var text = String(decoding: file.bytes, as: UTF8.self)
        text = replacing(text, "@import url(", ");") { inner in
            inlinedStyleSheet(absoluteAddress(inner, relativeTo: address), depth: depth + 1, room)
        }
        return replacing(text, "url(", ")") { inner in
            let target = absoluteAddress(inner, relativeTo: address)
            return target.hasPrefix("/assets/")
                ? "url(\"\(dataURL(target, room))\")" : "url(\(inner))"
        }
    }

    /// An address as a sheet writes it, from the root on; one that leads to
    /// no file of ours stays as it is.
    private func absoluteAddress(_ written: Substring, relativeTo sheet: String) -> String {
        let address = written.filter { $0 != "\"" && $0 != "'" }
        guard !address.hasPrefix("/"), !address.hasPrefix("#"), !address.contains(":"),
            let end = sheet.lastIndex(of: "/")
        else { return String(address) }
        return sheet[...end] + address
    }

    /// The file as a `data:` address (RFC 2397).
    private func dataURL(_ address: String, _ room: ByteBudget) -> String {
        guard let file = loadFile(address), room.consume(file.bytes.count) else { return address }
        let type = file.type.prefix { $0 != ";" }
        return "data:\(type);base64," + Data(file.bytes).base64EncodedString()
    }

    // MARK: Drawings

    /// No browser fetches a drawing's part from a `data:` address, so the
    /// files come whole into the body, and their parts are found there.
    private func inliningSVGs(_ text: String) -> String {
        var files: [String] = []
        let linked = replacing(text, "<use href=\"/assets/", "\"") { inner in
            let parts = inner.split(separator: "#", maxSplits: 1)
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

    /// Puts something in the place of every `open`…`close` with what stands
    /// between them.
    private func replacing(
        _ text: String, _ open: String, _ close: String, with make: (Substring) -> String
    ) -> String {
        var result = ""
        var rest = text[...]
        while let start = rest.firstRange(of: open),
            let end = rest[start.upperBound...].firstRange(of: close)
        {
            result += rest[..<start.lowerBound]
            result += make(rest[start.upperBound..<end.lowerBound])
            rest = rest[end.upperBound...]
        }
        return result + rest
    }

    private func removing(_ text: String, from open: String, to close: String) -> String {
        replacing(text, open, close) { _ in "" }
    }
}
