import Support
import Testing

@testable import Templates

/// Generated templates, compared with a second implementation of Mustache's rules.
@Suite(.timeLimit(.minutes(10))) struct TemplateMeaningTests {
    /// A value of a model.
    private indirect enum Value: Encodable {
        case text(String)
        case flag(Bool)
        case list([Value])
        case object([String: Value])

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .text(let text): try text.encode(to: encoder)
            case .flag(let flag): try flag.encode(to: encoder)
            case .list(let values): try values.encode(to: encoder)
            case .object(let members): try members.encode(to: encoder)
            }
        }
    }

    /// A piece of a template.
    private indirect enum Part {
        case literal(String)
        case variable(String, isEscaped: Bool)
        case section(String, [Part], isInverted: Bool)
        case partial
        case comment
    }

    // MARK: Generation

    private func text(_ fuzz: inout Fuzz) -> Value {
        let pieces = [
            "a", "<b>", "&amp;", "\"", "'", "{{s}}", "}}", "{", " ", "\n", "\r\n", "é", "\u{1}", "",
        ]
        return .text(fuzz.text(of: pieces, upTo: 4))
    }

    /// `s`, `t` and `u` are texts, `b` and `c` flags, `l` a list of texts, `m` one of objects.
    private func model(_ fuzz: inout Fuzz) -> [String: Value] {
        var model: [String: Value] = [
            "s": text(&fuzz), "t": text(&fuzz), "b": .flag(fuzz.chance(oneIn: 2)),
            "c": .flag(fuzz.chance(oneIn: 2)), "o": .object(["s": text(&fuzz), "p": text(&fuzz)]),
        ]
        model["l"] = .list((0..<fuzz.number(below: 4)).map { _ in text(&fuzz) })
        model["m"] = .list(
            (0..<fuzz.number(below: 3)).map { _ in
                .object(["s": text(&fuzz), "u": text(&fuzz), "b": .flag(fuzz.chance(oneIn: 2))])
            })
        return model
    }

    private func parts(_ fuzz: inout Fuzz, depth: Int, inList: Bool = false) -> [Part] {
        // No line consists only of tags: its line end would be handled differently.
        let literals = ["x", "y z", "a\n b", "é\tü", "<i>\r\n</i>", "}", "}}", "- {x", "&"]
        return (0..<fuzz.number(below: 5)).map { _ in
            switch fuzz.number(below: depth > 0 ? 8 : 5) {
            case 0, 1: return .literal(fuzz.one(of: literals))
            case 2, 3:
                let names = ["s", "t", "u", "o.p", "o.s", "none", "none.s"] + (inList ? ["."] : [])
                return .variable(fuzz.one(of: names), isEscaped: !fuzz.chance(oneIn: 4))
            case 4: return fuzz.chance(oneIn: 2) ? .comment : .partial
            default:
                let name = fuzz.one(of: ["b", "c", "l", "m", "o", "none"])
                let isInverted = fuzz.chance(oneIn: 3)
                let inside = parts(&fuzz, depth: depth - 1, inList: name == "l" && !isInverted)
                return .section(name, inside, isInverted: isInverted)
            }
        }
    }

    // MARK: Source text

    private func source(_ parts: [Part], _ fuzz: inout Fuzz) -> String {
        parts.reduce("") { text, part in
            switch part {
            case .literal(let literal): return text + literal
            case .variable(let name, true):
                return text
                    + fuzz.one(of: ["{{\(name)}}", "{{ \(name) }}", "{{=| |=}}|\(name)||={{ }}=|"])
            case .variable(let name, false):
                return text + fuzz.one(of: ["{{{\(name)}}}", "{{&\(name)}}", "{{{ \(name) }}}"])
            case .section(let name, let inside, let isInverted):
                let open = "{{\(isInverted ? "^" : "#")\(name)}}"
                return text + open + source(inside, &fuzz) + "{{/\(name)}}"
            case .partial: return text + "{{>part}}"
            case .comment: return text + fuzz.one(of: ["{{! {{s }}", "{{!a\nb}}"])
            }
        }
    }

    // MARK: Expected output

    private struct Interpreter {
        let partial: [Part]

        func text(_ parts: [Part], _ stack: [Value]) -> String {
            parts.reduce("") { $0 + text($1, stack) }
        }

        private func text(_ part: Part, _ stack: [Value]) -> String {
            switch part {
            case .literal(let literal): return literal
            case .comment: return ""
            case .partial: return text(partial, stack)
            case .variable(let name, let isEscaped):
                guard case .text(let text)? = value(name, stack) else { return "" }
                return isEscaped ? escaped(text) : text
            case .section(let name, let inside, let isInverted):
                let frames: [Value] =
                    switch value(name, stack) {
                    case .list(let values): values
                    case .flag(false), nil: []
                    case let value?: [value]
                    }
                if isInverted { return frames.isEmpty ? text(inside, stack) : "" }
                return frames.reduce("") { $0 + text(inside, stack + [$1]) }
            }
        }

        private func value(_ name: String, _ stack: [Value]) -> Value? {
            if name == "." { return stack.last }
            let steps = name.split(separator: ".").map(String.init)
            for case .object(let members) in stack.reversed() {
                guard let first = members[steps[0]] else { continue }
                guard steps.count > 1 else { return first }
                guard case .object(let inner) = first else { return nil }
                return inner[steps[1]]
            }
            return nil
        }

        private func escaped(_ text: String) -> String {
            text.reduce(into: "") { result, character in
                for scalar in character.unicodeScalars {
                    switch scalar {
                    case "&": result += "&amp;"
                    case "<": result += "&lt;"
                    case ">": result += "&gt;"
                    case "\"": result += "&quot;"
                    case "'": result += "&#39;"
                    default: result.unicodeScalars.append(scalar)
                    }
                }
            }
        }
    }

    @Test func `a generated template renders and escapes as Mustache specifies`()
        async throws
    {
        let folder = TemplateFolder()
        await Cases("templates that are rendered").check(oneIn: 2) { fuzz in
            let model = model(&fuzz)
            let page = parts(&fuzz, depth: 3)
            let partial = parts(&fuzz, depth: 0).filter {
                if case .partial = $0 { false } else { true }
            }
            let template = source(page, &fuzz)
            folder.write("page", template)
            folder.write("part", source(partial, &fuzz))
            let result = try rendered(folder.templates(), "page", model)
            let expected = Interpreter(partial: partial).text(page, [.object(model)])
            try #require(Array(result.utf8) == Array(expected.utf8), "\(template)")
            return !result.isEmpty
        }
    }
}
