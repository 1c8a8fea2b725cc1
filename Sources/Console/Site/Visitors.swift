import Simulator
import Surroundings
import Web

/// Tells from cookies and headers which workspace and device a request means.
///
/// Cookies are shared by every server on a host name, so ours carry the port;
/// the plain names are read too, for clients written by hand.
struct Visitors: Sendable {
    let simulator: Simulator
    let port: UInt16
    let world: World
    let promises: DevicePromises

    /// The cookie that names this browser's device in a workspace; each has
    /// its own, so that a visit elsewhere costs nobody a device.
    func deviceCookie(in workspace: String) -> String {
        let name = "foyer_device_\(port)"
        return workspace == Workspace.main ? name : "\(name)_\(workspace)"
    }

    var workspaceCookie: String { "foyer_workspace_\(port)" }

    /// The workspace asked for, `main` without one.
    func workspace(of visit: Visit) throws(Problem) -> String {
        let named =
            visit.request.headers["X-Foyer-Workspace"] ?? visit.cookies[workspaceCookie]
            ?? visit.cookies["foyer_workspace"] ?? Workspace.main
        guard simulator.hasWorkspace(named) else {
            throw Problem(
                status: 404, code: "unknown-workspace", title: "There is no such workspace",
                detail: """
                    X-Foyer-Workspace or its cookie names a workspace that is \
                    not there or whose lease has ended. Leave it out for \
                    main, or choose another one at \(Links.workspaces).
                    """)
        }
        return named
    }

    /// The device asked for, nil if none was named or it is not there.
    func device(of visit: Visit, in workspace: String) async throws -> Device? {
        if let named = visit.request.headers["X-Foyer-Device"] {
            guard let device = try await simulator.device(named, in: workspace) else {
                throw Problem.unknownDevice(named)
            }
            return device
        }
        guard let value = cookie(of: visit, in: workspace) else { return nil }
        return try await simulator.device(DevicePromises.id(named: value), in: workspace)
    }

    /// The same; one that was promised is made now.
    func usedDevice(of visit: Visit, in workspace: String) async throws -> Device? {
        if let device = try await device(of: visit, in: workspace) { return device }
        guard let id = promisedID(visit, in: workspace) else { return nil }
        return try await simulator.device(promised: id, in: workspace)
    }

    private func cookie(of visit: Visit, in workspace: String) -> String? {
        visit.cookies[deviceCookie(in: workspace)] ?? visit.cookies["foyer_device"]
    }

    private func promisedID(_ visit: Visit, in workspace: String) -> String? {
        cookie(of: visit, in: workspace).flatMap { promises.id(in: $0, for: workspace) }
    }

    /// `routes` with pages that promise a browser its device, whichever of
    /// them it opens first; parts of pages and downloads do not.
    func welcoming(_ routes: [Route]) -> [Route] {
        routes.map { route in
            guard route.method == .get else { return route }
            return route.answered { visit in
                var response = try await route.handler(visit)
                guard Self.isPage(response),
                    !visit.target.query.contains(where: { $0.name == "part" })
                else { return response }
                if let promise = try await promise(to: visit) {
                    response.headers.add("Set-Cookie", promise)
                }
                return response
            }
        }
    }

    /// HTML that gives no cookie of its own.
    private static func isPage(_ response: Response) -> Bool {
        response.status == 200 && response.headers["Set-Cookie"] == nil
            && response.headers["Content-Type"]?.hasPrefix("text/html") == true
    }

    /// The cookie for a browser that has no device, not even a promised one.
    private func promise(to visit: Visit) async throws -> String? {
        guard visit.request.headers["X-Foyer-Device"] == nil else { return nil }
        let workspace = try workspace(of: visit)
        if promisedID(visit, in: workspace) != nil { return nil }
        if try await device(of: visit, in: workspace) != nil { return nil }
        return setCookie(
            promises.promise(of: world.identifier("dev"), in: workspace), in: workspace)
    }

    /// The visitor of a page; a browser without a device gets one, and the
    /// cookie to keep it by.
    func welcome(_ visit: Visit) async throws -> (Visitor, cookie: String?) {
        let workspace = try workspace(of: visit)
        let used = try await usedDevice(of: visit, in: workspace)
        let device: Device
        if let used {
            device = used
        } else {
            device = try await simulator.makeDevice(in: workspace)
        }
        let isNamed =
            visit.request.headers["X-Foyer-Device"] != nil
            || cookie(of: visit, in: workspace) == device.id
        return (
            Visitor(workspace: workspace, device: device),
            isNamed ? nil : setCookie(device.id, in: workspace)
        )
    }

    /// The cookie that leads a browser without a phone in `workspace` to the
    /// newest there is; nil where it has one, or there is none.
    func introduce(_ visit: Visit, to workspace: String) async throws -> String? {
        if let value = cookie(of: visit, in: workspace),
            try await simulator.device(DevicePromises.id(named: value), in: workspace) != nil
        {
            return nil
        }
        let newest = try await simulator.devices(in: workspace, before: nil, limit: 1).devices.first
        return newest.map { setCookie($0.id, in: workspace) }
    }

    private func setCookie(_ value: String, in workspace: String) -> String {
        SetCookie(deviceCookie(in: workspace), value, maxAge: 31_536_000).line
    }

    /// Makes a browser stay in `workspace`; in `main` it needs no cookie.
    func stay(in workspace: String) -> String {
        SetCookie(workspaceCookie, workspace, maxAge: workspace == Workspace.main ? 0 : 31_536_000)
            .line
    }
}

extension Problem {
    static func unknownDevice(_ id: String) -> Problem {
        Problem(
            status: 404, code: "unknown-device", title: "There is no such device",
            detail: "No device of this workspace has the id \(id.prefix(40)).",
            call: "GET /api/devices lists them; POST /api/devices makes one.")
    }

    static func unknownApp(_ id: String) -> Problem {
        Problem(
            status: 404, code: "unknown-app", title: "There is no such app",
            detail: "No manifest has the id \(id.prefix(40)).", call: "GET /api/apps lists them.")
    }
}
