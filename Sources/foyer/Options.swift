/// How to run, as flags and variables told.
struct Options: Equatable {
    /// The console's port; 0 takes a free one.
    var port: UInt16 = 7070
    /// The embedded backend's port; 0 takes a free one.
    var backendPort: UInt16 = 7071
    /// Where databases and keys are; made with mode 0700.
    var data: String
    var key: Key = .kept
    /// A folder with further apps, one folder each.
    var apps: String?
    /// Where `templates/` and `Public/` are.
    var root: String?
    /// The address both servers listen on.
    var bind = "127.0.0.1"
    /// Names a browser may use for this machine, besides loopback's.
    var hosts: [String] = []

    /// Exchanges kept in each workspace, and for how many days.
    var keep = 5_000
    var keepDays = 7

    /// The yescrypt cost of passwords in the embedded backend.
    var passwordCost = 5

    enum Key: Equatable {
        /// Made at first start and kept in the data folder.
        case kept
        case given(String)
        case none
    }
}
