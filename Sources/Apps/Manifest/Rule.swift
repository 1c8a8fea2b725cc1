/// A condition on a field's value and the message shown when it is not met.
package struct Rule: Sendable, Equatable {
    package var test: Test
    package var message: String
    /// Also shown while typing, not only on submit.
    package var isLive: Bool

    /// Reads the one test among the members and its message. Members in `allowing` are read by the
    /// caller.
    init(_ node: ManifestNode, allowing: [String] = []) throws {
        let tests = ["required", "pattern", "min", "max", "same", "oneOf"]
        try node.allowOnly(tests + ["message", "live"] + allowing)
        let written = try node.members().filter { tests.contains($0.name) }
        guard written.count <= 1 else {
            throw written[1].node.error(
                "A rule has one test", "Write two rules, in the order they are reported.")
        }
        guard let name = tests.first(where: { node[$0] != nil }) else {
            throw node.error("A rule needs a test", "Add one of \(tests.joined(separator: ", ")).")
        }
        test = try Test(node.require(name), named: name)
        message = try node.require("message").text(.rule)
        isLive = try node["live"]?.bool() ?? false
    }

    package enum Test: Sendable, Equatable {
        /// Not empty; for a toggle: on.
        case required
        /// The entire value matches.
        case pattern(Pattern)
        /// Minimum number of characters (Unicode scalars).
        case min(Int)
        case max(Int)
        /// Equal to another field's value.
        case same(field: String)
        /// One of these.
        case oneOf([String])

        fileprivate init(_ node: ManifestNode, named name: String) throws {
            switch name {
            case "pattern":
                let text = try node.string()
                do throws(PatternError) { self = .pattern(try Pattern(text)) } catch {
                    throw node.error(error.detail, error.fix)
                }
            case "min": self = .min(try node.int(in: 0...4096))
            case "max": self = .max(try node.int(in: 0...4096))
            case "same": self = .same(field: try node.reference(.field))
            case "oneOf": self = .oneOf(try node.strings())
            default:
                guard try node.bool() else {
                    throw node.error("required: false has no effect", "Remove the rule.")
                }
                self = .required
            }
        }
    }
}
