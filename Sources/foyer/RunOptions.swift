/// Options of a run, from flags and variables.
struct RunOptions: Equatable {
    /// The console's port; 0 selects a free one.
    var port: UInt16 = 7070
    /// The embedded backend's port; 0 selects a free one.
    var backendPort: UInt16 = 7071
    /// The folder of databases and keys; created with mode 0700.
    var dataPath: String
    var key: KeySource = .stored
    /// A folder with further apps, one folder each.
    var appsFolder: String?
    /// The folder with `templates/` and `Public/`.
    var rootFolder: String?
    /// The address both servers listen on.
    var bindAddress = "127.0.0.1"
    /// Names a browser may use for this machine, besides loopback's.
    var extraHosts: [String] = []

    /// Retention of exchanges in each workspace: their number and their age in days.
    var exchangeLimit = 5_000
    var retentionDays = 7

    /// The yescrypt cost of passwords in the embedded backend.
    var passwordCost = 5

    enum KeySource: Equatable {
        /// Created at first start and stored in the data folder.
        case stored
        case explicit(String)
        case none
    }
}
