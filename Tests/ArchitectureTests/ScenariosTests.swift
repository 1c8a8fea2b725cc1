import FoundationEssentials
import Testing

/// `Tests/SCENARIOS.md` tells the truth.
@Suite struct ScenariosTests {
    /// The scenarios of each app's sheet, in order.
    private static let wanted: [(app: String, numbers: [Int])] = [
        (
            "MYS",
            Array(1...15) + Array(20...26) + Array(30...46) + Array(50...52)
                + Array(60...64)
        ),
        ("BOB", Array(1...54)),
        ("WALL", Array(1...32)),
        (
            "SOC",
            Array(1...7) + Array(10...14) + Array(20...23) + Array(30...34)
                + Array(40...44) + Array(50...56) + Array(60...80)
        ),
        (
            "CLA",
            Array(1...12) + Array(15...16) + Array(20...27) + Array(30...38)
                + Array(40...44) + Array(50...56) + Array(60...67)
        ),
    ]

    private static let rows: [(id: String, shown: String)] = {
        let table = House.files("Tests", "SCENARIOS.md").first
        return (table?.lines ?? []).compactMap { line in
            let cells = line.split(separator: "|")
            guard cells.count == 3,
                wanted.contains(where: { cells[0].hasPrefix(" \($0.app)-") })
            else { return nil }
            return (cells[0].filter { $0 != " " }, String(cells[2]))
        }
    }()

    @Test func `every scenario has its row, in order`() {
        for (app, numbers) in Self.wanted {
            let ids = numbers.map { number in
                app + "-" + (number < 10 ? "0" : "") + String(number)
            }
            let found = Self.rows.map(\.id).filter { $0.hasPrefix(app + "-") }
            #expect(found == ids, "\(app)")
        }
    }

    @Test func `every test named is there`() {
        for (id, shown) in Self.rows {
            let words = shown.split(separator: "`").enumerated()
                .filter { $0.offset % 2 == 1 }.map { String($0.element) }
            // A row without a test gives its reason.
            #expect(!words.isEmpty || shown.hasPrefix(" Not shown:"), "\(id)")
            var file: HouseFile?
            for word in words {
                if word.contains("/") {
                    file = House.files("Tests", word)
                        .first { $0.path == "Tests/" + word }
                    #expect(file != nil, "\(id): \(word)")
                } else if word.contains(" ") || word.hasPrefix("test_") {
                    #expect(
                        file?.text.contains(word) == true, "\(id): \(word)")
                }
            }
        }
    }
}
