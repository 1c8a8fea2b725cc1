import Core
import Foundation
import Testing

@Suite(.timeLimit(.minutes(10))) struct IdentifierTests {
    private func identifier(at seconds: Double, random: UInt8) -> String {
        Identifier.make(
            prefix: "exc", at: Date(timeIntervalSince1970: seconds),
            random: Array(repeating: random, count: 11))
    }

    @Test func `an identifier made later sorts after an earlier one`() {
        #expect(
            identifier(at: 1_795_000_000, random: 57) < identifier(at: 1_795_000_001, random: 0))
    }

    @Test func `an identifier has 16 characters of base 58`() {
        #expect(identifier(at: 0, random: 0) == "exc_1111111111111111")
        #expect(identifier(at: 1, random: 57) == "exc_11119zzzzzzzzzzz")
    }
}
