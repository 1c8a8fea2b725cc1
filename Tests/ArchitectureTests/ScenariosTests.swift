import FoundationEssentials
import Testing

/// `Tests/SCENARIOS.md` tells the truth.
@Suite(.timeLimit(.minutes(10))) struct ScenariosTests {
    /// The scenarios of each app's sheet, in order.
    private static let wanted: [(app: String, numbers: [Int])] = [
        ("MYS", Array(1...15) + Array(20...26) + Array(30...46) + Array(50...52) + Array(60...64)),
        ("BOB", Array(1...54)), ("WALL", Array(1...32)),
        (
            "SOC",
            Array(1...7) + Array(10...14) + Array(20...23) + Array(30...34) + Array(40...44)
                + Array(50...56) + Array(60...80)
        ),
        (
            "CLA",
            Array(1...12) + Array(15...16) + Array(20...27) + Array(30...38) + Array(40...44)
                + Array(50...56) + Array(60...67)
        ),
    ]

    private static let rows: [(id: String, shown: String)] = {
        let table = SourceTree.files("Tests", "SCENARIOS.md").first
        return (table?.lines ?? []).compactMap { line in
            let cells = line.split(separator: "|")
            guard cells.count == 3, wanted.contains(where: { cells[0].hasPrefix(" \($0.app)-") })
            else { return nil }
            return (cells[0].filter { $0 != " " }, String(cells[2]))
        }
    }()

    @Test func `every scenario has its row, in order`() {
        for (app, numbers) in Self.wanted {
            let ids = numbers.map { number in app + "-" + (number < 10 ? "0" : "") + String(number)
            }
            let found = Self.rows.map(\.id).filter { $0.hasPrefix(app + "-") }
            #expect(found == ids, "\(app)")
        }
    }

    @Test func `every test named is there`() {
        for (id, shown) in Self.rows { #expect(Self.mistakes(in: shown) == [], "\(id)") }
    }

    @Test(arguments: [
        "`ArchitectureTests/ScenariosTests.swift` `every test named`",
        "`ArchitectureTests/ScenariosTests.swift` `rows`",
        "`ArchitectureTests/ScenariosTests.swift`",
        "`ArchitectureTests/NoTests.swift` `every test named is there`",
        "`every test named is there`", "`Browser/test_look.py` `test_`", "`bench`",
        "not shown by a test: `bench` prints it", "by hand",
    ]) func `a row that names no whole test is refused`(shown: String) {
        #expect(Self.mistakes(in: " " + shown + " ") != [])
    }

    /// What is wrong with a row's last cell: files of tests, each with the
    /// names of tests in it, or a file that is a check as a whole.
    private static func mistakes(in shown: String) -> [String] {
        // A row without a test gives its reason.
        if shown.hasPrefix(" Not shown: ") { return [] }
        var mistakes: [String] = []
        var file: SourceFile?
        var isShown = false
        let words = shown.split(separator: "`").enumerated().filter { $0.offset % 2 == 1 }.map {
            String($0.element)
        }
        for (index, word) in words.enumerated() {
            if let named = Self.file(word) {
                file = named
                let next = words.dropFirst(index + 1).first
                if !named.holdsTests {
                    isShown = isShown || word.contains("/")
                } else if next.map({ Self.file($0) == nil }) != true {
                    mistakes.append("no test of \(word) is named")
                }
            } else if let tests = file?.tests, tests.contains(word) {
                isShown = true
            } else {
                mistakes.append("there is no \(word)")
            }
        }
        return isShown ? mistakes : mistakes + ["nothing shows it"]
    }

    private static func file(_ name: String) -> SourceFile? { files[name] }

    /// Every file below `Tests`, by its path there.
    private static let files: [String: SourceFile] = {
        let all = SourceTree.files("Tests").map { (String($0.path.dropFirst("Tests/".count)), $0) }
        return Dictionary(uniqueKeysWithValues: all)
    }()
}

extension SourceFile {
    /// Whether it is made of tests with names, not one check as a whole.
    fileprivate var holdsTests: Bool { path.hasSuffix(".swift") || path.contains("/test_") }

    /// The whole names of the tests in it.
    fileprivate var tests: Set<String> {
        var names: Set<String> = []
        for line in lines {
            let line = line.drop { $0 == " " }
            if line.hasPrefix("def test_"), let end = line.firstIndex(of: "(") {
                names.insert(String(line[..<end].dropFirst("def ".count)))
            } else if let start = line.firstRange(of: "func `"),
                let end = line[start.upperBound...].firstRange(of: "`(")
            {
                names.insert(String(line[start.upperBound..<end.lowerBound]))
            }
        }
        return names
    }
}
