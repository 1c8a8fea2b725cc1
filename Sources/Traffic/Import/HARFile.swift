import FoundationEssentials
package import Web

/// An HTTP Archive 1.2 from elsewhere, read strictly: either every entry can
/// be recorded, or what is wrong is told and none is.
package struct HARFile: Sendable {
    package private(set) var entries: [HAREntry] = []

    /// More are refused; a browser's log of a sign-in has a few dozen.
    package static let most = 500

    /// Bytes of one that is taken; a browser's are often 5 to 20 MB.
    package static let largest = 32 << 20

    /// Values of JSON in one that is taken, some 40 MB of memory: a browser's
    /// entry has a few hundred.
    package static let mostValues = 1_000_000

    /// So many faults are told at once.
    private static let mostFaults = 20

    package init(_ bytes: [UInt8]) throws(Problem) {
        let json: JSON
        do { json = try JSONReader.read(bytes, most: Self.mostValues) } catch {
            throw Self.refused([
                .init(
                    pointer: "",
                    detail: "is no JSON of at most \(Self.mostValues) values: \(error.detail)")
            ])
        }
        guard let log = json["log"], case .object = log else {
            throw Self.refused([.init(pointer: "/log", detail: "is missing: this is no HAR")])
        }
        guard case .array(let list)? = log["entries"] else {
            throw Self.refused([.init(pointer: "/log/entries", detail: "must be a list")])
        }
        guard list.count <= Self.most else {
            throw Self.refused([
                .init(
                    pointer: "/log/entries",
                    detail: "holds \(list.count); at most \(Self.most) can be imported at once"
                )
            ])
        }
        var faults: [Problem.FieldError] = []
        for (index, entry) in list.enumerated() where faults.count < Self.mostFaults {
            var reader = HARReader(at: "/log/entries/\(index)")
            if let entry = reader.entry(entry) { entries.append(entry) }
            faults += reader.faults
        }
        guard faults.isEmpty else { throw Self.refused(Array(faults.prefix(Self.mostFaults))) }
    }

    private static func refused(_ faults: [Problem.FieldError]) -> Problem {
        Problem(
            faults: faults, code: "invalid-har", title: "This HTTP Archive cannot be imported",
            note: " Nothing was imported.")
    }
}
