import FoundationEssentials
import Web

/// The date by which a client says which dialect it understands.
enum SocotoAPIVersion {
    static let headerName = "X-Supabase-Api-Version"
    /// Later dates are answered as this one.
    static let newest = "2024-01-01"

    /// Absent, older and unreadable dates mean the old dialect.
    static func isNew(_ request: Request) -> Bool {
        guard let text = request.headers[headerName], text.utf8.count == newest.utf8.count,
            (try? Date(text + "T00:00:00Z", strategy: .iso8601)) != nil
        else { return false }
        return text >= newest
    }
}
