import Apps
import Support
import Testing

@testable import Console

/// The lines on the board of every built-in app, in every size.
@Suite(.timeLimit(.minutes(10))) struct BoardDrawingTests {
    private static let apps = ["mystica", "mystica-instant", "bob", "wall", "socoto", "clarity"]

    private func plan(_ id: String) async throws -> (edges: [BoardEdge], rows: [Int]) {
        let fixture = try await FoyerFixture()
        let app = try #require(fixture.catalog.app(id))
        return (
            BoardEdge.all(of: ScreenGraph(of: app), between: app.screens.map(\.id)),
            app.screens.map { app.states(of: $0).count }
        )
    }

    @Test(arguments: apps) func `every edge is drawn and every label is on the board`(app: String)
        async throws
    {
        let plan = try await plan(app)
        for size in DeviceSizes.all {
            let drawing = BoardDrawing(plan.edges, rows: plan.rows, sizes: [size])
            #expect(drawing.lines.filter(\.hasArrowhead).count == plan.edges.count)
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

    @Test(arguments: apps) func `labels do not overlap`(app: String) async throws {
        let plan = try await plan(app)
        let drawing = BoardDrawing(plan.edges, rows: plan.rows, sizes: [DeviceSizes.all[0]])
        for (index, one) in drawing.labels.enumerated() {
            for other in drawing.labels.dropFirst(index + 1) where one.y == other.y {
                let half = (one.text.count + other.text.count) * 26 / 2
                #expect(abs(one.x - other.x) > half, "\(one.text)")
            }
        }
    }

    @Test func `actions are primary edges, relaunches and back edges are not`() async throws {
        let edges = try await plan("mystica").edges
        let login = try #require(edges.first { $0.label == "Login" })
        #expect(login.isPrimary && login.from < login.to && !login.isAdjacent)
        #expect(edges.contains { $0.label == "relaunch" && !$0.isPrimary })
        #expect(edges.contains { $0.to < $0.from && !$0.isPrimary })
        #expect(edges.contains { $0.isAdjacent })
    }

    @Test func `a board with one column and no states has no lines`() {
        let drawing = BoardDrawing([], rows: [1], sizes: [DeviceSizes.all[0]])
        #expect(drawing.lines.isEmpty && drawing.labels.isEmpty)
        #expect(drawing.top == BoardGeometry.headerHeight)
    }

    @Test func `the style sheet of device sizes is part of the console's`() async throws {
        let fixture = try await FoyerFixture()
        for address in ["/assets/device-sizes.css", "/assets/console.css"] {
            let sheet = await fixture.page(address)
            #expect(sheet.text.contains(".phone-iphone15 { --w: 393; --h: 852; }"))
            #expect(sheet.text.contains(".phone-android { --w: 412; --h: 915; }"))
        }
    }
}
