import Testing

@testable import SQLite

@Suite(.timeLimit(.minutes(10))) struct CheckpointPlanTests {
    var plan = CheckpointPlan()

    @Test mutating func `a short log is not checkpointed`() {
        #expect(plan.step(pages: 1) == nil)
        #expect(plan.step(pages: CheckpointPlan.pageInterval - 1) == nil)
    }

    @Test mutating func `a log in use by readers is copied in steps`() {
        #expect(plan.step(pages: 4_000) == .passive)
        #expect(plan.step(pages: 4_001) == nil)
        #expect(plan.step(pages: 7_999) == nil)
        #expect(plan.step(pages: 8_000) == .passive)
    }

    @Test mutating func `a restarted log is measured from the start`() {
        #expect(plan.step(pages: 4_000) == .passive)
        #expect(plan.step(pages: 3) == nil)
        #expect(plan.step(pages: 4_000) == .passive)
    }

    @Test mutating func `a long log is truncated, but not at every commit`() {
        #expect(plan.step(pages: 16_500) == .truncate)
        #expect(plan.step(pages: 16_501) == nil)
        #expect(plan.step(pages: 20_500) == .truncate)
    }
}
