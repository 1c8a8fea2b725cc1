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

    @Test func `rows go together although their cause is on another page`() {
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

    @Test func `no line is drawn past rows of others`() {
        #expect(
            CauseBrackets.brackets([
                .mock("retry", after: "refused"), .mock("other"), .mock("refused"),
            ])
                == ["", "", ""])
    }

    @Test func `a circle of causes ends`() {
        #expect(
            CauseBrackets.brackets([.mock("a", after: "b"), .mock("b", after: "a")]).count == 2)
    }
}
