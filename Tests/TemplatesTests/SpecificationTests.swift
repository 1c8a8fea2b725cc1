import Glibc
import Testing

/// The Mustache rules that templates rely on, and all published cases if the specification is on
/// this machine.
@Suite(.timeLimit(.minutes(10))) struct SpecificationTests {
    /// `MUSTACHE_SPEC` names the published specification's `specs` folder.
    private static let published = getenv("MUSTACHE_SPEC").map { String(cString: $0) }

    private static var rules: [SpecificationCase] {
        get throws {
            let folder = #filePath.split(separator: "/").dropLast()
            return try SpecificationCase.read(
                "/" + folder.joined(separator: "/") + "/Specification/rules.json")
        }
    }

    @Test(arguments: try rules) func `a rule of the specification renders as expected`(
        _ rule: SpecificationCase
    ) throws {
        let text = try rule.render()
        #expect(text == rule.deviation ?? rule.expected)
        if let deviation = rule.deviation {
            #expect(deviation != rule.expected, "a deviation must differ from the expected text")
        }
    }

    @Test func `every rule has a unique name`() throws {
        let names = try Self.rules.map(\.name)
        #expect(names.count == 73)
        #expect(Set(names).count == names.count)
    }

    /// A partial alone in a line keeps its line end and is not indented; HTML ignores both. A
    /// missing partial is an error here, not empty text.
    private static let deviations: Set<String> = [
        "partials: Failed Lookup",
        "partials: Standalone Line Endings",
        "partials: Standalone Without Previous Line",
        "partials: Standalone Without Newline",
        "partials: Standalone Indentation",
    ]

    @Test(
        .enabled(if: published != nil, "MUSTACHE_SPEC names no folder with the published cases"),
        arguments: ["comments", "delimiters", "interpolation", "inverted", "partials", "sections"])
    func `the published cases fail only at the known deviations`(module: String) throws {
        let folder = try #require(Self.published)
        let failed = try SpecificationCase.read("\(folder)/\(module).json").filter {
            (try? $0.render()) != $0.expected
        }.map { "\(module): \($0.name)" }
        let expected = Self.deviations.filter { $0.hasPrefix(module + ":") }
        #expect(Set(failed) == expected)
    }
}
