import Crypto
import SQLite
import Web

/// An error as a line of the log has it: what it says of itself, never what
/// it was about.
package func logMessage(for error: any Error) -> String {
    switch error {
    case let error as DatabaseError: error.detail
    case let error as CryptoError: error.detail
    case let problem as Problem: "\(problem.title): \(problem.detail)"
    default: "\(type(of: error))"
    }
}
