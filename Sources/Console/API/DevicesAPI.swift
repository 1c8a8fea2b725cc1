import Simulator
import Web

/// `/api/devices`: the simulated phones of a workspace.
struct DevicesAPI: Sendable {
    let services: Services
    let visitors: Visitors

    @Sendable func list(_ visit: Visit) async throws -> Response {
        let workspace = try visitors.workspace(of: visit)
        let paging = try Paging(visit)
        let page = try await services.simulator.devices(
            in: workspace, before: paging.after, limit: paging.limit + 1)
        let shown = page.devices.prefix(paging.limit)
        return .json(
            Paging.list(
                total: page.total, shown.map(\.json),
                next: page.devices.count > shown.count ? shown.last?.id : nil))
    }

    @Sendable func create(_ visit: Visit) async throws -> Response {
        let workspace = try visitors.workspace(of: visit)
        var body = try BodyReader(visit.request, optional: true)
        let label = body.string("label", limit: 80)
        let build = body.choice("build", of: Device.Build.self)
        let biometrics = biometrics(&body)
        let display = DisplayChange(&body)
        try body.finish()
        let device = try await services.simulator.makeDevice(
            in: workspace, label: label, build: build ?? .debug,
            biometrics: biometrics ?? Device.Biometrics(),
            display: display.made(of: Device.Display()))
        guard case .object(var members) = device.json else {
            preconditionFailure("a device is an object")
        }
        members.append(.init("cookies", cookies(device)))
        var response = Response.json(.object(members), status: 201)
        response.headers["Location"] = "/api/devices/\(device.id)"
        return response
    }

    /// The device of this cookie.
    @Sendable func current(_ visit: Visit) async throws -> Response {
        let workspace = try visitors.workspace(of: visit)
        let device = try await visitors.usedDevice(of: visit, in: workspace)
        guard let device else {
            throw Problem(
                status: 404, code: "no-device", title: "This client has no device yet",
                detail: """
                    Send the cookie \(visitors.deviceCookie(in: workspace)) that any page \
                    sets, or X-Foyer-Device: <id> from POST /api/devices.
                    """)
        }
        return .json(device.json)
    }

    @Sendable func read(_ visit: Visit) async throws -> Response {
        .json(try await named(visit).json)
    }

    @Sendable func update(_ visit: Visit) async throws -> Response {
        let device = try await named(visit)
        var body = try BodyReader(visit.request)
        let label = body.string("label", limit: 80)
        let build = body.choice("build", of: Device.Build.self)
        let display = DisplayChange(&body)
        let biometrics = biometrics(&body)
        try body.finish()
        let changed = try await services.simulator.updateDevice(device.id, in: device.workspace) {
            device in
            if let label { device.label = label }
            if let build { device.build = build }
            device.display = display.made(of: device.display)
            if let biometrics { device.biometrics = biometrics }
        }
        return .json(changed.json)
    }

    /// The device named in the path.
    func named(_ visit: Visit) async throws -> Device {
        let workspace = try visitors.workspace(of: visit)
        let id = visit.parameters["device"] ?? ""
        guard let device = try await services.simulator.device(id, in: workspace) else {
            throw Problem.unknownDevice(id)
        }
        return device
    }

    /// `"faceID"`, or `{kind, enrolled, next}`.
    private func biometrics(_ body: inout BodyReader) -> Device.Biometrics? {
        guard let value = body.take("biometrics") else { return nil }
        if let word = value.string {
            guard let kind = Device.Biometrics.Kind(rawValue: word) else {
                body.fail("biometrics", "can be none, touchID or faceID")
                return nil
            }
            return Device.Biometrics(kind: kind)
        }
        guard case .object(let members) = value else {
            body.fail("biometrics", "must be a word or an object")
            return nil
        }
        var biometrics = Device.Biometrics()
        for member in members {
            switch (member.name, member.value) {
            case ("kind", .string(let word)):
                guard let kind = Device.Biometrics.Kind(rawValue: word) else {
                    body.fail("biometrics/kind", "can be none, touchID or faceID")
                    continue
                }
                biometrics.kind = kind
            case ("enrolled", .bool(let enrolled)): biometrics.enrolled = enrolled
            case ("next", .string(let word)):
                guard let next = Device.Biometrics.Result(rawValue: word) else {
                    body.fail("biometrics/next", "can be match, noMatch or cancel")
                    continue
                }
                biometrics.next = next
            default: body.fail("biometrics/\(member.name)", "is unknown or of a wrong type")
            }
        }
        return biometrics
    }

    private func cookies(_ device: Device) -> JSON {
        [.storageStateCookie(visitors.deviceCookie(in: device.workspace), device.id)]
    }
}
