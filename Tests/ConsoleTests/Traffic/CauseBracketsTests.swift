import FoundationEssentials
import Testing
import Traffic
import Web

@testable import Console

@Suite(.timeLimit(.minutes(10))) struct CauseBracketsTests {
    @Test func `a refused call, its refresh and its retry are joined`() {
        #expect(
            CauseBrackets.brackets([
                .mock("login"), .mock("retry", after: "refused"),
                .mock("refresh", after: "refused"), .mock("refused"), .mock("earlier"),
            ]) == ["", "first", "middle", "last", ""])
    }

    @Test func `rows are grouped although their cause is on another page`() {
        #expect(
            CauseBrackets.brackets([.mock("retry", after: "gone"), .mock("refresh", after: "gone")])
                == [
                    "first", "last",
                ])
    }

    @Test func `a chain of causes is followed to its beginning`() {
        #expect(
            CauseBrackets.brackets([.mock("c", after: "b"), .mock("b", after: "a"), .mock("a")])
                == [
                    "first", "middle", "last",
                ])
    }

    @Test func `no bracket crosses unrelated rows`() {
        #expect(
            CauseBrackets.brackets([
                .mock("retry", after: "refused"), .mock("other"), .mock("refused"),
            ])
                == ["", "", ""])
    }

    @Test func `a cycle of causes terminates`() {
        #expect(
            CauseBrackets.brackets([.mock("a", after: "b"), .mock("b", after: "a")]).count == 2)
    }
}
