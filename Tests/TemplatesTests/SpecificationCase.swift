import FoundationEssentials
import Testing

/// A case of the Mustache specification: a template, its data and the expected output.
struct SpecificationCase: Decodable, CustomTestStringConvertible {
    let name: String
    let data: Value
    let template: String
    let expected: String
    let partials: [String: String]?
    /// The actual output, where this implementation differs on purpose.
    let deviation: String?

    var testDescription: String { name }

    /// A JSON value, decoded from the file and encoded as a model.
    enum Value: Codable, Sendable {
        case null
        case flag(Bool)
        case integer(Int)
        case number(Double)
        case text(String)
        case list([Value])
        case object([String: Value])

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if value.decodeNil() {
                self = .null
            } else if let flag = try? value.decode(Bool.self) {
                self = .flag(flag)
            } else if let integer = try? value.decode(Int.self) {
                self = .integer(integer)
            } else if let number = try? value.decode(Double.self) {
                self = .number(number)
            } else if let text = try? value.decode(String.self) {
                self = .text(text)
            } else if let list = try? value.decode([Value].self) {
                self = .list(list)
            } else {
                self = .object(try value.decode([String: Value].self))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var value = encoder.singleValueContainer()
            switch self {
            case .null: try value.encodeNil()
            case .flag(let flag): try value.encode(flag)
            case .integer(let integer): try value.encode(integer)
            case .number(let number): try value.encode(number)
            case .text(let text): try value.encode(text)
            case .list(let list): try value.encode(list)
            case .object(let object): try value.encode(object)
            }
        }
    }

    /// The cases of a file in the specification's format.
    static func read(_ path: String) throws -> [SpecificationCase] {
        struct File: Decodable { let tests: [SpecificationCase] }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw CocoaError(.fileReadNoSuchFile)
        }
        return try JSONDecoder().decode(File.self, from: data).tests
    }

    func render() throws -> String {
        var files = partials ?? [:]
        files["the page"] = template
        let folder = TemplateFolder(files)
        return try rendered(folder.templates(), "the page", data)
    }
}
