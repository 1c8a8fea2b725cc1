import Core
import Testing
import Web

@testable import Console

@Suite(.timeLimit(.minutes(10))) struct ListPositionTests {
    private func pager(
        _ query: [String: String], rows: Int = 50, total: Int = 128, isExact: Bool = true,
        newer: Bool, older: Bool
    ) throws -> PagerModel? {
        let keyset = Keyset(before: newer ? 91 : nil, limit: max(rows, 1))
        typealias Row = (item: Int, sequence: Int64, sortValue: String?)
        let read = (0..<rows + (older ? 1 : 0)).map { row -> Row in (row, Int64(90 - row), nil) }
        return PagerModel(
            KeysetPage(keyset, read, total: total, totalIsExact: isExact),
            at: try ListPosition(query)
        ) { Links.url("/traffic", $0) }
    }

    @Test func `the first page links to older rows by its last row`() throws {
        let first = try pager([:], newer: false, older: true)
        #expect(first?.range == "1–50 of 128")
        #expect(first?.newerURL == nil)
        #expect(first?.olderURL == "/traffic?before=41&from=51")
    }

    @Test func `a middle page links in both directions`() throws {
        let middle = try pager(["before": "91", "from": "51"], newer: true, older: true)
        #expect(middle?.range == "51–100 of 128")
        #expect(middle?.newerURL == "/traffic?after=90")
        #expect(middle?.olderURL == "/traffic?before=41&from=101")
    }

    @Test func `the ends of the list correct an outdated row number`() throws {
        let last = try pager(["before": "91", "from": "70"], rows: 28, newer: true, older: false)
        #expect(last?.range == "101–128 of 128")
        let first = try pager(["after": "12", "from": "51"], newer: false, older: true)
        #expect(first?.range == "1–50 of 128")
    }

    @Test func `an inexact total is marked with a plus`() throws {
        let middle = try pager(
            ["before": "91", "from": "101"], isExact: false, newer: true, older: true)
        #expect(middle?.range == "101–150 of 150+")
        let last = try pager(
            ["before": "91", "from": "5001"], rows: 3, isExact: false, newer: true, older: false)
        #expect(last?.range == "5,001–5,003 of 5,003+")
    }

    @Test func `an empty list has no pager`() throws {
        #expect(try pager([:], rows: 0, total: 0, newer: false, older: false) == nil)
    }

    @Test(arguments: [
        ["before": "x"], ["after": "0"], ["before": "-1"], ["before": "1", "after": "2"],
    ]) func `an invalid cursor is rejected`(query: [String: String]) {
        #expect(throws: Problem.self) { try ListPosition(query) }
    }

    @Test(arguments: [["from": "-5"], ["from": "x"], [:]])
    func `an invalid or missing row number counts as 1`(query: [String: String]) throws {
        #expect(try ListPosition(query).firstRowNumber == 1)
    }
}
