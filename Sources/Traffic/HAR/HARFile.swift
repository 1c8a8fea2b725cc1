package import Web

/// An imported HTTP Archive 1.2, parsed strictly: either every entry can be recorded, or the parser
/// throws the errors and none is.
package struct HARFile: Sendable {
    package private(set) var entries: [HAREntry] = []

    /// The largest accepted number of entries; a browser's log of a sign-in has a few dozen.
    package static let maxEntries = 500

    /// The largest accepted file, in bytes; a browser's are often 5 to 20 MB.
    package static let maxBytes = 32 << 20

    /// The largest accepted number of JSON values, about 40 MB of memory; a browser's entry has a
    /// few hundred.
    package static let maxJSONValues = 1_000_000

    /// The number of errors reported at once.
    private static let maxErrors = 20

    package init(_ bytes: [UInt8]) throws(Problem) {
        let json: JSON
        do { json = try JSONReader.read(bytes, maxValues: Self.maxJSONValues) } catch {
            throw Self.problem(
                "", "is not JSON of at most \(Self.maxJSONValues) values: \(error.detail)")
        }
        guard let log = json["log"], case .object = log else {
            throw Self.problem("/log", "is missing: not a HAR file")
        }
        guard case .array(let list)? = log["entries"] else {
            throw Self.problem("/log/entries", "must be an array")
        }
        guard list.count <= Self.maxEntries else {
            throw Self.problem(
                "/log/entries", "has \(list.count) entries; the limit is \(Self.maxEntries)")
        }
        var errors: [Problem.FieldError] = []
        for (index, entry) in list.enumerated() where errors.count < Self.maxErrors {
            var reader = HARReader(basePointer: "/log/entries/\(index)")
            if let entry = reader.entry(entry) { entries.append(entry) }
            errors += reader.errors
        }
        guard errors.isEmpty else { throw Self.problem(Array(errors.prefix(Self.maxErrors))) }
    }

    private static func problem(_ pointer: String, _ detail: String) -> Problem {
        problem([.init(pointer: pointer, detail: detail)])
    }

    private static func problem(_ errors: [Problem.FieldError]) -> Problem {
        Problem(
            errors: errors, code: "invalid-har", title: "Invalid HAR file", note: " Import failed.")
    }
}
