/// The current row of a statement; columns count from 0.
package struct Row {
    package func text(_ column: Int) -> String {
        preconditionFailure("not built yet")
    }
    package func optionalText(_ column: Int) -> String? {
        preconditionFailure("not built yet")
    }
    package func integer(_ column: Int) -> Int64 {
        preconditionFailure("not built yet")
    }
    package func optionalInteger(_ column: Int) -> Int64? {
        preconditionFailure("not built yet")
    }
    package func real(_ column: Int) -> Double {
        preconditionFailure("not built yet")
    }
    package func optionalReal(_ column: Int) -> Double? {
        preconditionFailure("not built yet")
    }
    package func bool(_ column: Int) -> Bool {
        preconditionFailure("not built yet")
    }
    package func blob(_ column: Int) -> [UInt8] {
        preconditionFailure("not built yet")
    }
}
