import Apps
import Core
import Simulator
import Support
import Templates
import Testing

@testable import Console

/// The screen graph of every built-in app before its first launch.
@Suite(.timeLimit(.minutes(10))) struct ScreenGraphTests {
    private static let apps = ["mystica", "mystica-instant", "bob", "wall", "socoto", "clarity"]

    private func drawings(_ app: String) async throws -> [ScreenGraphModel.Drawing] {
        let fixture = try await FoyerFixture()
        let instance = AppInstance(workspace: "main", device: await fixture.device(), app: app)
        let status = try await fixture.simulator.status(instance)
        let model = status.model(of: ScreenGraph(of: status.app), now: fixture.frozen.world.now())
        return ["wide", "compact"].compactMap { model.member($0) }
    }

    @Test(arguments: apps) func `labels overlap neither nodes nor other labels`(app: String)
        async throws
    {
        for drawing in try await drawings(app) {
            var occupied = drawing.nodes.map {
                (left: $0.x, right: $0.x + $0.w, top: $0.y, bottom: $0.y + $0.h)
            }
            for label in drawing.labels {
                let half = label.text.count * 3
                let area = (
                    left: label.x - half, right: label.x + half, top: label.y - 8,
                    bottom: label.y + 2
                )
                #expect(area.left >= 0 && area.right <= drawing.width)
                #expect(
                    !occupied.contains {
                        area.left < $0.right && $0.left < area.right && area.top < $0.bottom
                            && $0.top < area.bottom
                    }, "\(label.text)")
                occupied.append(area)
            }
        }
    }

    @Test(arguments: apps) func `nodes are within the drawing and spaced apart`(
        app: String
    ) async throws {
        for (drawing, width) in zip(try await drawings(app), [92, 86]) {
            for node in drawing.nodes {
                #expect(node.w == width && node.h == 28, "\(node.name)")
                #expect(node.x >= 0 && node.x + node.w <= drawing.width)
                #expect(node.y >= 0 && node.y + node.h <= drawing.height)
                let close = drawing.nodes.filter {
                    abs($0.x - node.x) < node.w + 20 && abs($0.y - node.y) < node.h + 20
                }
                #expect(close.count == 1, "\(node.name)")
            }
        }
    }

    @Test(arguments: apps) func `every arrow ends at its own point`(app: String)
        async throws
    {
        for drawing in try await drawings(app) {
            #expect(drawing.edges.contains { $0.hasArrowhead })
            #expect(drawing.edges.allSatisfy { $0.d.hasPrefix("M") })
            let ends = drawing.edges.filter(\.hasArrowhead).map {
                $0.d.split(separator: "L").last.map(String.init) ?? ""
            }
            #expect(Set(ends).count == ends.count)
        }
    }

    @Test(arguments: apps) func `no line crosses a node or runs along another line`(app: String)
        async throws
    {
        for drawing in try await drawings(app) {
            // Per line, the steps of 1 px of its straight parts; corners are left out.
            var steps: Set<[Int]> = []
            for edge in drawing.edges {
                let ends = edge.d.dropFirst().split(separator: "Q").flatMap { part in
                    part.split(separator: "L").map {
                        $0.split(separator: " ").compactMap { Int($0) }
                    }
                }
                for (a, b) in zip(ends, ends.dropFirst()).map({ ($0.suffix(2), $1.prefix(2)) }) {
                    let (a, b) = (Array(a), Array(b))
                    guard a[0] == b[0] || a[1] == b[1] else { continue }
                    let (left, right) = (min(a[0], b[0]), max(a[0], b[0]))
                    let (top, bottom) = (min(a[1], b[1]), max(a[1], b[1]))
                    #expect(
                        !drawing.nodes.contains {
                            left < $0.x + $0.w && $0.x < right && top < $0.y + $0.h && $0.y < bottom
                        }, "\(edge.d)")
                    for x in left..<max(right, left + 1) where a[1] == b[1] {
                        #expect(steps.insert([x, top, 0]).inserted, "\(edge.d)")
                    }
                    for y in top..<max(bottom, top + 1) where a[0] == b[0] {
                        #expect(steps.insert([left, y, 1]).inserted, "\(edge.d)")
                    }
                }
            }
        }
    }

    @Test func `screens that need a session come after those that do not`() async throws {
        let wide = try #require(try await drawings("mystica").first)
        let xs = Dictionary(uniqueKeysWithValues: wide.nodes.map { ($0.name, $0.x) })
        let order = ["splash", "login", "verify", "map", "settings"].compactMap { xs[$0] }
        #expect(order == order.sorted() && Set(order).count == 5)
        #expect(xs["login"] == xs["register"])
        #expect(wide.labels.contains { $0.text == "relaunch" })
        #expect(wide.height <= 120)
    }

    @Test func `a form is placed between its sources and its targets`() async throws {
        let wide = try #require(try await drawings("wall").first)
        let xs = Dictionary(uniqueKeysWithValues: wide.nodes.map { ($0.name, $0.x) })
        let order = ["start", "landing", "register", "wall"].compactMap { xs[$0] }
        #expect(order == order.sorted() && Set(order).count == 4)
        #expect(xs["login"] == xs["register"])
    }
}
