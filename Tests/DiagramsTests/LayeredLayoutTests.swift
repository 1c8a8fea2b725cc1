import Testing

@testable import Diagrams

@Suite(.timeLimit(.minutes(10))) struct LayeredLayoutTests {
    private func layers(
        _ nodes: String, _ edges: [String], groups: [Set<String>] = [],
        pairs: [(String, String)] = [], last: Set<String> = []
    ) -> LayerAssignment {
        LayerAssignment(
            nodes: nodes.map(String.init),
            edges: edges.map { (String($0.prefix(1)), String($0.suffix(1))) }, groups: groups,
            pairs: pairs, last: last)
    }

    @Test func `a layer is the longest path without backward edges`() {
        let layers = layers("abcd", ["ab", "bc", "ac", "cd", "da", "cb"]).layers
        #expect(layers == ["a": 0, "b": 1, "c": 2, "d": 3])
    }

    @Test func `the nodes of a group share a layer`() {
        let layers = layers("abcd", ["ab", "bc", "cd"], groups: [["b", "c"]]).layers
        #expect(layers == ["a": 0, "b": 1, "c": 1, "d": 2])
    }

    @Test func `a pair shares a layer unless a path leads through a third node`() {
        let edges = ["ab", "bc", "cb"]
        #expect(layers("abc", edges, pairs: [("b", "c")]).layers == ["a": 0, "b": 1, "c": 1])
        let indirect = layers("abdc", edges + ["bd", "dc"], pairs: [("b", "c")]).layers
        #expect(indirect == ["a": 0, "b": 1, "d": 2, "c": 3])
    }

    @Test func `nodes that come last are behind all others`() {
        let layers = layers("abcd", ["ad", "ab", "bc"], last: ["d"]).layers
        #expect(layers == ["a": 0, "b": 1, "c": 2, "d": 3])
    }

    @Test func `long flows are compressed in order`() {
        let nodes = "abcdefghij"
        let edges = zip(nodes, nodes.dropFirst()).map { "\($0)\($1)" }
        let layers = nodes.compactMap { self.layers(nodes, edges).layers[String($0)] }
        #expect(layers == layers.sorted() && Set(layers) == Set(0..<6))
    }

    @Test func `a node is placed in the lane of the first one that leads to it`() {
        let layout = LayeredLayout(layers("abcde", ["ab", "ac", "cd", "ce"]))
        #expect(layout.positions["b"] == .init(column: 1, lane: 0))
        #expect(layout.positions["c"] == .init(column: 1, lane: 1))
        #expect(layout.positions["d"] == .init(column: 2, lane: 1))
        #expect(layout.positions["e"] == .init(column: 2, lane: 0))
        #expect(layout.columnCount == 3 && layout.laneCount == 2)
    }

    @Test func `neighbors are connected straight`() {
        let layout = LayeredLayout(columns: [["a", "b", "c"], ["d"], ["e", "f"]])
        #expect(layout.isStraight("a", "b") && layout.isStraight("a", "d"))
        #expect(layout.isStraight("b", "f"))
        #expect(!layout.isStraight("a", "c") && !layout.isStraight("a", "e"))
        #expect(!layout.isStraight("b", "d"))
        #expect(layout.isBackward("d", "a") && layout.isBackward("c", "a"))
        #expect(!layout.isBackward("b", "d"))
    }
}
