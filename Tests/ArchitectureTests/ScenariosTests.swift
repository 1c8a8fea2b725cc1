import FoundationEssentials
import Testing

/// `Tests/SCENARIOS.md` tells the truth.
@Suite struct ScenariosTests {
    private static let numbers =
        Array(1...15) + Array(20...26) + Array(30...46) + Array(50...52)
        + Array(60...64)

    private static let rows: [(id: String, shown: String)] = {
        let table = House.files("Tests", "SCENARIOS.md").first
        return (table?.lines ?? []).compactMap { line in
            let cells = line.split(separator: "|")
            guard cells.count == 3, cells[0].hasPrefix(" MYS-") else {
                return nil
            }
            return (cells[0].filter { $0 != " " }, String(cells[2]))
        }
    }()

    @Test func `every scenario has its row, in order`() {
        let wanted = Self.numbers.map { number in
            "MYS-" + (number < 10 ? "0" : "") + String(number)
        }
        #expect(Self.rows.map(\.id) == wanted)
    }

    @Test func `every test named is there`() {
        for (id, shown) in Self.rows {
            let words = shown.split(separator: "`").enumerated()
                .filter { $0.offset % 2 == 1 }.map { String($0.element) }
            #expect(!words.isEmpty, "\(id)")
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
