import Simulator
import Web

/// Tells from cookies and headers which workspace and device a request means.
///
/// Cookies are shared by every server on a host name, so ours carry the port;
/// the plain names are read too, for clients written by hand.
struct Visitors: Sendable {
    let simulator: Simulator
    let port: UInt16

    /// The cookie that names this browser's device.
    var deviceCookie: String { "foyer_device_\(port)" }
    var workspaceCookie: String { "foyer_workspace_\(port)" }

    /// The workspace asked for, `main` without one.
    func workspace(of visit: Visit) throws(Problem) -> String {
        let named = visit.request.headers["X-Foyer-Workspace"]
            ?? visit.cookies[workspaceCookie]
            ?? visit.cookies["foyer_workspace"] ?? "main"
        guard simulator.hasWorkspace(named) else {
            throw Problem(
                status: 404, code: "unknown-workspace",
                title: "There is no such workspace",
                detail: """
                    X-Foyer-Workspace or its cookie names a workspace that is \
                    not there or whose lease has ended. Leave it out for main.
                    """)
        }
        return named
    }

    /// The device asked for, nil if none was named or it is not there.
    func device(
        of visit: Visit, in workspace: String
    ) async throws -> Device? {
        if let named = visit.request.headers["X-Foyer-Device"] {
            guard let device = try await simulator.device(named, in: workspace) else {
                throw Problem.unknownDevice(named)
            }
            return device
        }
        let named = visit.cookies[deviceCookie] ?? visit.cookies["foyer_device"]
        guard let named else { return nil }
        return try await simulator.device(named, in: workspace)
    }

    /// `routes` with pages that give a browser its device, whichever of them
    /// it opens first.
    ///
    /// A part of a page gives none, nor does a page read with the key alone:
    /// such a client keeps no cookies and would get another each time.
    func welcoming(_ routes: [Route]) -> [Route] {
        routes.map { route in
            guard route.method == .get else { return route }
            return Route(
                route.method, route.pattern, access: route.access,
                route.operation
            ) { visit in
                var response = try await route.handler(visit)
                guard case .session = visit.pass,
                    !visit.target.query.contains(where: { $0.name == "part" })
                else { return response }
                if let cookie = try await welcome(visit).cookie {
                    response.headers.add("Set-Cookie", cookie)
                }
                return response
            }
        }
    }

    /// The visitor of a page; a browser without a device gets one, and the
    /// cookie to keep it by.
    func welcome(_ visit: Visit) async throws -> (Visitor, cookie: String?) {
        let workspace = try workspace(of: visit)
        if let device = try await device(of: visit, in: workspace) {
            return (Visitor(workspace: workspace, device: device), nil)
        }
        let device = try await simulator.makeDevice(in: workspace)
        return (
            Visitor(workspace: workspace, device: device),
            SetCookie(deviceCookie, device.id, maxAge: 31_536_000).line
        )
    }
}

extension Problem {
    static func unknownDevice(_ id: String) -> Problem {
        Problem(
            status: 404, code: "unknown-device",
            title: "There is no such device",
            detail: """
                No device of this workspace has the id \(id.prefix(40)). \
                GET /api/devices lists them; POST /api/devices makes one.
                """)
    }

    static func unknownApp(_ id: String) -> Problem {
        Problem(
            status: 404, code: "unknown-app", title: "There is no such app",
            detail: """
                No manifest has the id \(id.prefix(40)). GET /api/apps lists \
                them.
                """)
    }
}
