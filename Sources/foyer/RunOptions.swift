/// How to run, as flags and variables told.
struct RunOptions: Equatable {
    /// The console's port; 0 takes a free one.
    var port: UInt16 = 7070
    /// The embedded backend's port; 0 takes a free one.
    var backendPort: UInt16 = 7071
    /// Where databases and keys are; made with mode 0700.
    var dataPath: String
    var key: KeySource = .stored
    /// A folder with further apps, one folder each.
    var appsFolder: String?
    /// Where `templates/` and `Public/` are.
    var rootFolder: String?
    /// The address both servers listen on.
    var bindAddress = "127.0.0.1"
    /// Names a browser may use for this machine, besides loopback's.
    var extraHosts: [String] = []

    /// Exchanges kept in each workspace, and for how many days.
    var exchangeLimit = 5_000
    var retentionDays = 7

    /// The yescrypt cost of passwords in the embedded backend.
    var passwordCost = 5

    enum KeySource: Equatable {
        /// Made at first start and kept in the data folder.
        case stored
        case explicit(String)
        case none
    }
}
