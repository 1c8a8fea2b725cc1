import Crypto
import SQLite
import Web

/// An error as one log line. Contains the error's own description, never the data it concerned.
package func logMessage(for error: any Error) -> String {
    switch error {
    case let error as DatabaseError: error.detail
    case let error as CryptoError: error.detail
    case let problem as Problem: "\(problem.title): \(problem.detail)"
    default: "\(type(of: error))"
    }
}
