import SQLite
import Secrets
import Web

/// An error as a line of the log has it: what it says of itself, never what
/// it was about.
package func words(of error: any Error) -> String {
    switch error {
    case let error as DatabaseError: error.detail
    case let error as SecretsError: error.detail
    case let problem as Problem: "\(problem.title): \(problem.detail)"
    default: "\(type(of: error))"
    }
}
