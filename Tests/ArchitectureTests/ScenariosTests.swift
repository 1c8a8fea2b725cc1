import FoundationEssentials
import Testing

/// `Tests/SCENARIOS.md` has a row for every scenario, and every test that it names exists.
@Suite(.timeLimit(.minutes(10))) struct ScenariosTests {
    /// The numbers of each app's scenarios, in order.
    private static let scenarios: [(app: String, numbers: [Int])] = [
        ("MYS", Array(1...15) + Array(20...26) + Array(30...46) + Array(50...52) + Array(60...66)),
        ("BOB", Array(1...63)), ("WALL", Array(1...43)),
        (
            "SOC",
            Array(1...7) + Array(10...14) + Array(20...23) + Array(30...34) + Array(40...48)
                + Array(50...56) + Array(60...81) + Array(90...95)
        ),
        (
            "CLA",
            Array(1...12) + Array(15...16) + Array(20...27) + Array(30...38) + Array(40...44)
                + Array(50...56) + Array(60...67) + Array(70...77)
        ),
    ]

    private static let rows: [(id: String, shownBy: String)] = {
        let table = SourceTree.files("Tests", "SCENARIOS.md").first
        return (table?.lines ?? []).compactMap { line in
            let cells = line.split(separator: "|")
            guard cells.count == 3, scenarios.contains(where: { cells[0].hasPrefix(" \($0.app)-") })
            else { return nil }
            return (cells[0].filter { $0 != " " }, String(cells[2]))
        }
    }()

    @Test func `every scenario has a row, in order`() {
        for (app, numbers) in Self.scenarios {
            let ids = numbers.map { number in app + "-" + (number < 10 ? "0" : "") + String(number)
            }
            let rowIDs = Self.rows.map(\.id).filter { $0.hasPrefix(app + "-") }
            #expect(rowIDs == ids, "\(app)")
        }
    }

    @Test func `every test named is there`() {
        for (id, shownBy) in Self.rows { #expect(Self.mistakes(in: shownBy) == [], "\(id)") }
    }

    @Test(arguments: [
        "`ArchitectureTests/ScenariosTests.swift` `every test named`",
        "`ArchitectureTests/ScenariosTests.swift` `rows`",
        "`ArchitectureTests/ScenariosTests.swift`",
        "`ArchitectureTests/NoTests.swift` `every test named is there`",
        "`every test named is there`", "`Browser/test_look.py` `test_`", "`bench`",
        "`Browser/sweep.py`, run by `run`", "Not shown:", "Not shown: later",
        "not shown by a test: `bench` prints it", "by hand",
    ]) func `a row that does not name a full test title is refused`(shownBy: String) {
        #expect(Self.mistakes(in: " " + shownBy + " ") != [])
    }

    /// The mistakes in a row's last cell, which names test files, each followed by full titles of
    /// its tests, and the files that they read.
    private static func mistakes(in shownBy: String) -> [String] {
        // A row without a test gives its reason, in some words.
        if shownBy.hasPrefix(" Not shown:") {
            let words = shownBy.split(separator: " ").count - 2
            return words < 3 ? ["no reason is given"] : []
        }
        var mistakes: [String] = []
        var file: SourceFile?
        var hasTest = false
        let words = shownBy.split(separator: "`").enumerated().filter { $0.offset % 2 == 1 }.map {
            String($0.element)
        }
        for (index, word) in words.enumerated() {
            if let namedFile = Self.file(word) {
                file = namedFile
                let next = words.dropFirst(index + 1).first
                if namedFile.hasNamedTests, next.map({ Self.file($0) == nil }) != true {
                    mistakes.append("no test of \(word) is named")
                }
            } else if let tests = file?.testTitles, tests.contains(word) {
                hasTest = true
            } else {
                mistakes.append("there is no \(word)")
            }
        }
        return hasTest ? mistakes : mistakes + ["no test is named"]
    }

    private static func file(_ name: String) -> SourceFile? { files[name] }

    /// Every file in `Tests`, by its path relative to that folder.
    private static let files: [String: SourceFile] = {
        let all = SourceTree.files("Tests").map { (String($0.path.dropFirst("Tests/".count)), $0) }
        return Dictionary(uniqueKeysWithValues: all)
    }()
}

extension SourceFile {
    /// Whether it consists of tests with titles, rather than being a single check.
    fileprivate var hasNamedTests: Bool { path.hasSuffix(".swift") || path.contains("/test_") }

    /// The full titles of its tests.
    fileprivate var testTitles: Set<String> {
        var titles: Set<String> = []
        for line in lines {
            let line = line.drop { $0 == " " }
            if line.hasPrefix("def test_"), let end = line.firstIndex(of: "(") {
                titles.insert(String(line[..<end].dropFirst("def ".count)))
            } else if let start = line.firstRange(of: "func `"),
                let end = line[start.upperBound...].firstRange(of: "`(")
            {
                titles.insert(String(line[start.upperBound..<end.lowerBound]))
            }
        }
        return titles
    }
}
