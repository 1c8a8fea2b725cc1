import Apps
import Support
import Testing

@testable import Console

/// The lines of the sheet of every app there is, in every size.
@Suite(.timeLimit(.minutes(10))) struct BoardDrawingTests {
    private static let apps = ["mystica", "mystica-instant", "bob", "wall", "socoto", "clarity"]

    private struct Plan {
        var ways: [BoardEdge]
        var lanes: BoardLaneAssignment
        var rows: [Int]
    }

    private func plan(_ id: String, width: Int = 418) async throws -> Plan {
        let fixture = try await FoyerFixture()
        let app = try #require(fixture.catalogue.app(id))
        let ways = BoardEdge.all(of: app, between: app.screens.map(\.id))
        return Plan(
            ways: ways, lanes: BoardLaneAssignment(ways, width: width),
            rows: app.screens.map { app.states(of: $0).count })
    }

    @Test(arguments: apps) func `brackets of one lane do not lie over each other`(app: String)
        async throws
    {
        let lanes = try await plan(app).lanes
        for one in lanes.edges.indices {
            for other in lanes.edges.indices.dropFirst(one + 1)
            where lanes.laneByEdge[one] == lanes.laneByEdge[other] {
                let a = lanes.edges[one]
                let b = lanes.edges[other]
                #expect(a.lastColumn <= b.firstColumn || b.lastColumn <= a.firstColumn)
            }
        }
    }

    @Test(arguments: apps, [403, 418, 458, 848]) func `the ends on a column stand apart and on it`(
        app: String, width: Int
    ) async throws {
        let lanes = try await plan(app, width: width).lanes
        var ends: [Int: [Int]] = [:]
        for way in lanes.edges.indices {
            ends[lanes.edges[way].from, default: []].append(lanes.startOffsets[way])
            ends[lanes.edges[way].to, default: []].append(lanes.endOffsets[way])
        }
        for offsets in ends.values {
            let sorted = offsets.sorted()
            #expect(zip(sorted, sorted.dropFirst()).allSatisfy { $1 - $0 > 20 })
            #expect(sorted.allSatisfy { abs($0) < width / 2 })
        }
    }

    @Test(arguments: apps) func `every way is drawn and every line is on the sheet`(app: String)
        async throws
    {
        let plan = try await plan(app)
        for size in DeviceSizes.all {
            let drawing = BoardDrawing(plan.ways, rows: plan.rows, size: size)
            #expect(drawing.lines.filter(\.hasArrowhead).count == plan.ways.count)
            #expect(
                drawing.lines.filter { $0.tone == "states" }.count
                    == plan.rows.filter { $0 > 1 }.count)
            for label in drawing.labels {
                #expect(label.x > 0 && label.x < drawing.width)
                #expect(label.y > BoardGeometry.headerHeight - 30)
                #expect(label.y < drawing.top)
            }
        }
    }

    @Test(arguments: apps) func `no words lie over others`(app: String) async throws {
        let plan = try await plan(app)
        let drawing = BoardDrawing(plan.ways, rows: plan.rows, size: DeviceSizes.all[0])
        for (index, one) in drawing.labels.enumerated() {
            for other in drawing.labels.dropFirst(index + 1) where one.y == other.y {
                let half = (one.text.count + other.text.count) * 26 / 2
                #expect(abs(one.x - other.x) > half, "\(one.text)")
            }
        }
    }

    @Test func `what is done is the flow and what starts anew is not`() async throws {
        let ways = try await plan("mystica").ways
        let login = try #require(ways.first { $0.label == "Login" })
        #expect(login.isPrimary && login.isForward && !login.isAdjacent)
        #expect(ways.contains { $0.label == "relaunch" && !$0.isPrimary })
        #expect(ways.contains { !$0.isForward && !$0.isPrimary })
        #expect(ways.contains { $0.isAdjacent })
    }

    @Test func `a sheet of one column without states has no lines`() {
        let drawing = BoardDrawing([], rows: [1], size: DeviceSizes.all[0])
        #expect(drawing.lines.isEmpty && drawing.labels.isEmpty)
        #expect(drawing.top == BoardGeometry.headerHeight)
    }
}
