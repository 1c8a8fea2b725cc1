import Glibc
package import Testing

/// Checks a property in many random cases. Each case has its own seed, so a failing one can be
/// repeated.
///
///     await Cases("JSON").check { fuzz in
///         let value = fuzz.json()
///         try #require(try JSON(parsing: value.bytes) == value)
///         return true
///     }
///
/// The body checks with `#require`: the first case that throws ends the check, and the issue
/// contains its seed. The body returns whether the case was relevant to the property; if too few
/// are, the check proves nothing and fails.
///
/// * Without environment variables a few hundred cases run, the same in every run.
/// * `FOYER_ALL=1` runs 100,000 cases, beginning with a random seed, which is printed.
/// * `FOYER_SEED=0x…` runs the one case of that seed.
/// * Both together run 100,000 cases beginning with that seed, and print the seed of each before it
///   runs: for a case that ends the process.
package struct Cases: Sendable {
    private let name: String
    private let firstSeed: UInt64
    private let count: Int
    private let isRepetition: Bool
    private let printsSeeds: Bool

    /// `few` is the number of cases without environment variables.
    package init(_ name: String, few: Int = 300) {
        self.name = name
        let runsAll = getenv("FOYER_ALL") != nil
        let requestedSeed = getenv("FOYER_SEED").flatMap { Self.parseSeed(String(cString: $0)) }
        firstSeed = requestedSeed ?? (runsAll ? .random(in: .min ... .max) : 0x0F0E)
        count = runsAll ? 100_000 : requestedSeed == nil ? few : 1
        isRepetition = !runsAll && requestedSeed != nil
        printsSeeds = runsAll && requestedSeed != nil
        if runsAll { print("seed \(Self.hex(firstSeed)) of \(name)") }
    }

    /// At least one case in `share` has to be relevant.
    package func check(
        oneIn share: Int = 4, sourceLocation: SourceLocation = #_sourceLocation,
        _ body: (inout Fuzz) async throws -> Bool
    ) async {
        var relevantCount = 0
        for number in 0..<count {
            let seed = firstSeed &+ UInt64(number)
            if printsSeeds { print("\(name): FOYER_SEED=\(Self.hex(seed))") }
            var fuzz = Fuzz(seed: seed)
            do { relevantCount += try await body(&fuzz) ? 1 : 0 } catch {
                let comment: Comment = """
                    case \(number) of seed \(Self.hex(firstSeed)) of \(name); \
                    FOYER_SEED=\(Self.hex(seed)) repeats it
                    """
                // A failed `#require` has already recorded an issue.
                if error is ExpectationFailedError {
                    Issue.record(comment, sourceLocation: sourceLocation)
                } else {
                    Issue.record(error, comment, sourceLocation: sourceLocation)
                }
                return
            }
        }
        #expect(
            isRepetition || relevantCount * share >= count,
            "of \(count) cases of \(name) only \(relevantCount) matter",
            sourceLocation: sourceLocation)
    }

    private static func hex(_ seed: UInt64) -> String { "0x" + String(seed, radix: 16) }

    private static func parseSeed(_ text: String) -> UInt64? {
        text.hasPrefix("0x") ? UInt64(text.dropFirst(2), radix: 16) : UInt64(text)
    }
}
