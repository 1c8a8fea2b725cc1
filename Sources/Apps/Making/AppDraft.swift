import FoundationEssentials
package import Web

/// The description of a new app, from which its manifest is made.
package struct AppDraft: Sendable {
    package var name: String
    /// `#RRGGBB`.
    package var color: String
    /// Empty for the embedded backend alone.
    package var base: String
    package var source: Source

    /// What the app's calls are made from.
    package enum Source: Sendable, Equatable {
        /// A contract of the embedded backend.
        case contract(String)
        /// An OpenAPI document as text.
        case openAPI(String)
    }

    package init(name: String, color: String, base: String, source: Source) {
        self.name = name.trimmed
        self.color = color.isEmpty ? "#2F6F4F" : color
        self.base = base.trimmed.withoutTrailingSlashes
        self.source = source
    }

    /// The folder's name: the name's letters and digits, `my-app`.
    package var id: String {
        let parts = name.withoutAccents.lowercased().utf8.split { !($0.isLetter || $0.isDigit) }
        return String(
            parts.map { String(decoding: Array($0), as: UTF8.self) }.joined(separator: "-").prefix(
                40))
    }

    /// The start of a comment about something that was not found.
    package static let checkPrefix = "// Check: "

    /// The errors of the fields, without those of the source's content.
    package var errors: [Problem.FieldError] {
        var errors: [Problem.FieldError] = []
        if name.isEmpty {
            errors.append(.init(pointer: "/name", detail: "is missing"))
        } else if name.count > 60 {
            errors.append(.init(pointer: "/name", detail: "has more than 60 characters"))
        } else if id.utf8.first?.isLetter != true {
            errors.append(
                .init(pointer: "/name", detail: "needs to start with a letter from A to Z"))
        }
        if color.utf8.count != 7 || !color.hasPrefix("#")
            || !color.dropFirst().allSatisfy(\.isHexDigit)
        {
            errors.append(.init(pointer: "/color", detail: "is not a color like #2F6F4F"))
        }
        if !base.isEmpty, !AppBackend.Base.isAllowed(base) {
            errors.append(
                .init(
                    pointer: "/base",
                    detail: "must be an https:// URL, or http:// to localhost, without a query"))
        }
        return errors
    }

    /// The text of `app.json5`.
    ///
    /// `contracts` are those of the embedded backend; `bundledManifest` returns the manifest of the
    /// bundled app of a contract. Throws a problem with the fields' errors.
    package func manifest(
        contracts: [String], bundledManifest: (String) -> [UInt8]?
    ) throws(Problem) -> String {
        var errors = errors
        if case .contract(let contract) = source, !contracts.contains(contract) {
            errors.append(
                .init(
                    pointer: "/contract",
                    detail: "is not one of \(contracts.sorted().joined(separator: ", "))"))
        }
        guard errors.isEmpty else { throw Problem(errors: errors, title: "Invalid app") }
        let text: String
        switch source {
        case .contract(let contract):
            guard let bytes = bundledManifest(contract) else {
                throw Self.failure("The manifest of \(contract) cannot be read.")
            }
            text = ContractManifest(draft: self, contract: contract).text(
                from: String(decoding: bytes, as: UTF8.self))
        case .openAPI(let document):
            text = try OpenAPIManifest(self, OpenAPIDocument(document)).text
        }
        do throws(ManifestError) {
            _ = try App(id: id, file: "app.json5", text: text, contracts: contracts)
        } catch { throw Self.failure("The manifest would be invalid: \(error.summary)") }
        return text
    }

    private static func failure(_ detail: String) -> Problem {
        Problem(
            status: 422, code: "app-not-made", title: "The app could not be made", detail: detail)
    }

    /// The look's line of the manifest.
    var lookLine: String {
        "look: { glyph: \(Self.quoted(String(name.prefix(1)).uppercased())), background: '\(color)', "
            + "letter: '\(isColorLight ? "#000000" : "#FFFFFF")', cover: '\(color)' },"
    }

    /// Whether black letters on the color have a higher contrast than white ones.
    private var isColorLight: Bool {
        let weights = [(1, 0.2126), (3, 0.7152), (5, 0.0722)]
        let luminance = weights.reduce(0) { sum, channel in
            let digits = color.dropFirst(channel.0).prefix(2)
            let value = Double(Int(digits, radix: 16) ?? 0) / 255
            return sum + channel.1 * value * value
        }
        return luminance > 0.21
    }

    /// A string of JSON5.
    static func quoted(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "'") { result, scalar in
            switch scalar {
            case "'", "\\": result += "\\" + String(scalar)
            case "\n": result += "\\n"
            case _ where scalar.value < 0x20 || [0x2028, 0x2029, 0x7F].contains(scalar.value):
                result += " "
            default: result.unicodeScalars.append(scalar)
            }
        } + "'"
    }

    /// Text for a comment of one line.
    static func comment(_ text: String) -> String {
        String(text.singleLine.unicodeScalars.filter { $0.value != 0x2028 && $0.value != 0x2029 })
    }
}

extension String {
    fileprivate var trimmed: String {
        var text = self[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}

/// The manifest of an app that uses a contract of the embedded backend: that of the bundled app,
/// with another name, look and backend.
struct ContractManifest {
    let draft: AppDraft
    let contract: String

    func text(from source: String) -> String {
        var lines = source.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let bundledName = value(of: "name", in: lines)
        if let start = lines.firstIndex(of: "{") { lines.removeFirst(start + 1) }
        let embedded = member("embedded:", indentation: 4, in: lines).map { Array(lines[$0]) }
        for key in ["name", "order", "spec", "appearance", "look", "walkthrough", "backends"] {
            guard let range = member("\(key):", indentation: 2, in: lines) else { continue }
            lines.removeSubrange(range)
        }
        var backends = embedded ?? ["    embedded: { base: 'embedded:\(contract)' },"]
        if !draft.base.isEmpty {
            backends.insert(
                "    backend: { label: 'Backend', base: \(AppDraft.quoted(draft.base)), "
                    + "extends: 'embedded' },", at: 0)
        }
        // The bundled app's name in texts and in storage keys.
        var body = lines.joined(separator: "\n")
        if let bundledName {
            let name = AppDraft.quoted(draft.name).dropFirst().dropLast()
            body = body.replacing(bundledName, with: String(name))
        }
        let key = draft.id.replacing("-", with: "_")
        body = body.replacing("\(contract)_", with: "\(key)_")
        while body.hasPrefix("\n") { body.removeFirst() }
        return """
            // \(AppDraft.comment(draft.name)), made by Foyer with the contract \(contract) of the embedded backend.
            // It starts with the screens and calls of the bundled app: change what differs.
            {
              name: \(AppDraft.quoted(draft.name)),
              \(draft.lookLine)

              // The first is the default.
              backends: {
            \(backends.joined(separator: "\n"))
              },

            \(body)
            """
    }

    private func value(of key: String, in lines: [String]) -> String? {
        lines.first { $0.hasPrefix("  \(key): '") }.map { line in
            String(line.dropFirst(key.utf8.count + 5).prefix { $0 != "'" })
        }
    }

    /// The lines of a member, which ends where its brackets are balanced.
    private func member(_ key: String, indentation: Int, in lines: [String]) -> ClosedRange<Int>? {
        let start = lines.firstIndex {
            $0.hasPrefix(String(repeating: " ", count: indentation) + key)
        }
        guard let start else { return nil }
        var depth = 0
        for index in start..<lines.count {
            for byte in lines[index].utf8 {
                if "{[".utf8.contains(byte) { depth += 1 }
                if "}]".utf8.contains(byte) { depth -= 1 }
            }
            if depth <= 0 { return start...index }
        }
        return nil
    }
}

extension String {
    /// With the basic letter of each accented Latin one.
    fileprivate var withoutAccents: String {
        unicodeScalars.reduce(into: "") { text, scalar in
            // `LATIN SMALL LETTER U WITH DIAERESIS`
            let words = scalar.properties.name?.split(separator: " ") ?? []
            let isLatin = !scalar.isASCII && words.count > 3 && words[0] == "LATIN"
            text += isLatin && words[2] == "LETTER" ? String(words[3]) : String(scalar)
        }
    }
}
