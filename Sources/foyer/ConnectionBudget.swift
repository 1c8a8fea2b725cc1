import HTTPClient
import HTTPServer

/// How many connections each part of the process may hold.
///
/// As many as usual, or fewer where the system allows fewer descriptors: a
/// process that runs out of them cannot read a file, and libdispatch, which
/// opens one to look at its threads, ends the process when it cannot.
struct ConnectionBudget: Equatable {
    /// Connections to the console.
    let console: Int
    /// Connections to the embedded backend.
    let backend: Int
    /// Calls of backends under way at a time.
    let outgoingCalls: Int
    /// Connections to backends that are kept for the next call.
    let idleConnections: Int
    /// Descriptors the process may hold.
    let descriptors: Int

    /// For databases, templates, libraries, the runtime, and what a shell
    /// handed down.
    private static let reservedDescriptors = 192
    /// With fewer for connections a browser or two would fill the console.
    private static let minimumConnections = 64

    private static let defaults = (
        server: ServerConfiguration(port: 0).connectionLimit,
        calls: ClientConfiguration().transferLimit, kept: ClientConfiguration().idleConnectionLimit
    )

    /// A call looks its name up through a pair of sockets, and may try two
    /// addresses at once.
    private static let fullDemand = 2 * defaults.server + 2 * defaults.calls + defaults.kept

    init(descriptors: Int) throws(StartError) {
        let free = descriptors - Self.reservedDescriptors
        guard free >= Self.minimumConnections else {
            throw StartError(
                "the system lets this process open \(descriptors) files; "
                    + "foyer needs \(Self.reservedDescriptors + Self.minimumConnections): raise it with ulimit -n."
            )
        }
        let share = { (usual: Int) in
            free >= Self.fullDemand ? usual : max(usual * free / Self.fullDemand, 2)
        }
        console = share(Self.defaults.server)
        backend = share(Self.defaults.server)
        outgoingCalls = share(Self.defaults.calls)
        idleConnections = share(Self.defaults.kept)
        self.descriptors = descriptors
    }

    /// What to say at the start; nil if there is room for as many as usual.
    var warning: String? {
        guard console < Self.defaults.server else { return nil }
        return "the system lets this process open \(descriptors) files "
            + "(ulimit -n): room for \(console) connections to the console, "
            + "\(backend) to the embedded backend and \(outgoingCalls) calls at a time."
    }
}
