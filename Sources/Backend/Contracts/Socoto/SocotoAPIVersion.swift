import FoundationEssentials
import Web

/// The date header by which a client selects the response dialect.
enum SocotoAPIVersion {
    static let headerName = "X-Supabase-Api-Version"
    /// Later dates get the responses of this version.
    static let newest = "2024-01-01"

    /// Whether the request selects the new dialect. Absent, older and invalid dates select the old
    /// one.
    static func isNew(_ request: Request) -> Bool {
        guard let text = request.headers[headerName], text.utf8.count == newest.utf8.count,
            (try? Date(text + "T00:00:00Z", strategy: .iso8601)) != nil
        else { return false }
        return text >= newest
    }
}
