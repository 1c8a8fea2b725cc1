import Glibc
package import Testing

/// Many cases by chance for one property, each made from a seed of its own, so that the one that
/// fails can be repeated.
///
///     await Cases("JSON").check { fuzz in
///         let value = fuzz.json()
///         try #require(try JSON(parsing: value.bytes) == value)
///         return true
///     }
///
/// The body asks with `#require`: the first case that throws ends the check, and the issue names
/// its seed. It returns whether the case reached what the property is about; if too few do, the
/// property proves nothing and fails.
///
/// * Without anything in the environment there are a few hundred cases, the same in every run.
/// * `FOYER_ALL=1` makes it 100,000 and begins with a seed by chance, which is printed.
/// * `FOYER_SEED=0x…` runs the one case of that seed.
/// * Both together run the 100,000 that begin with that seed and print the seed of each before it
///   runs: for a case that ends the process.
package struct Cases: Sendable {
    private let name: String
    private let first: UInt64
    private let count: Int
    private let repeats: Bool
    private let isTold: Bool

    /// `few` are run where the environment asks for nothing else.
    package init(_ name: String, few: Int = 300) {
        self.name = name
        let all = getenv("FOYER_ALL") != nil
        let given = getenv("FOYER_SEED").flatMap { Self.seed(String(cString: $0)) }
        first = given ?? (all ? .random(in: .min ... .max) : 0x0F0E)
        count = all ? 100_000 : given == nil ? few : 1
        repeats = !all && given != nil
        isTold = all && given != nil
        if all { print("seed \(Self.written(first)) of \(name)") }
    }

    /// Of all cases at least one in `share` has to matter.
    package func check(
        oneIn share: Int = 4, sourceLocation: SourceLocation = #_sourceLocation,
        _ body: (inout Fuzz) async throws -> Bool
    ) async {
        var mattered = 0
        for number in 0..<count {
            let seed = first &+ UInt64(number)
            if isTold { print("\(name): FOYER_SEED=\(Self.written(seed))") }
            var fuzz = Fuzz(seed: seed)
            do { mattered += try await body(&fuzz) ? 1 : 0 } catch {
                let place: Comment = """
                    case \(number) of seed \(Self.written(first)) of \(name); \
                    FOYER_SEED=\(Self.written(seed)) repeats it
                    """
                // What failed to be as required is an issue already.
                if error is ExpectationFailedError {
                    Issue.record(place, sourceLocation: sourceLocation)
                } else {
                    Issue.record(error, place, sourceLocation: sourceLocation)
                }
                return
            }
        }
        #expect(
            repeats || mattered * share >= count,
            "of \(count) cases of \(name) only \(mattered) matter", sourceLocation: sourceLocation)
    }

    private static func written(_ seed: UInt64) -> String { "0x" + String(seed, radix: 16) }

    private static func seed(_ text: String) -> UInt64? {
        text.hasPrefix("0x") ? UInt64(text.dropFirst(2), radix: 16) : UInt64(text)
    }
}
