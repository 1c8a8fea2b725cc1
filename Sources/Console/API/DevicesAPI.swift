import Simulator
import Web

/// `/api/devices`: the simulated devices of a workspace.
struct DevicesAPI: Sendable {
    let services: Services
    let scopeResolver: ScopeResolver

    @Sendable func list(_ context: RequestContext) async throws -> Response {
        let workspace = try scopeResolver.workspace(of: context)
        let paging = try Paging(context)
        let page = try await services.simulator.devices(
            in: workspace, before: paging.after, limit: paging.limit + 1)
        let devices = page.devices.prefix(paging.limit)
        return .json(
            Paging.list(
                total: page.total, devices.map(\.json),
                next: page.devices.count > devices.count ? devices.last?.id : nil))
    }

    @Sendable func create(_ context: RequestContext) async throws -> Response {
        let workspace = try scopeResolver.workspace(of: context)
        var body = try BodyReader(context.request, optional: true)
        let label = body.string("label", limit: 80)
        let build = body.choice("build", of: Device.Build.self)
        let biometrics = biometrics(&body)
        let display = DisplayChange(&body)
        try body.finish()
        let device = try await services.simulator.makeDevice(
            in: workspace, label: label, build: build ?? .debug,
            biometrics: biometrics ?? Device.Biometrics(),
            display: display.applied(to: Device.Display()))
        guard case .object(var members) = device.json else {
            preconditionFailure("a device is an object")
        }
        members.append(.init("cookies", cookies(device)))
        var response = Response.json(.object(members), status: 201)
        response.headers["Location"] = "/api/devices/\(device.id)"
        return response
    }

    /// The device that the request's header or cookie names.
    @Sendable func current(_ context: RequestContext) async throws -> Response {
        let workspace = try scopeResolver.workspace(of: context)
        let device = try await scopeResolver.resolveDevice(of: context, in: workspace)
        guard let device else {
            throw Problem(
                status: 404, code: "no-device", title: "No device",
                detail: """
                    Send the cookie \(scopeResolver.deviceCookieName(in: workspace)) that any page \
                    sets, or X-Foyer-Device with an id from POST /api/devices.
                    """)
        }
        return .json(device.json)
    }

    @Sendable func read(_ context: RequestContext) async throws -> Response {
        .json(try await requestedDevice(context).json)
    }

    @Sendable func update(_ context: RequestContext) async throws -> Response {
        let device = try await requestedDevice(context)
        var body = try BodyReader(context.request)
        let label = body.string("label", limit: 80)
        let build = body.choice("build", of: Device.Build.self)
        let display = DisplayChange(&body)
        let biometrics = biometrics(&body)
        try body.finish()
        let changed = try await services.simulator.updateDevice(device.id, in: device.workspace) {
            device in
            if let label { device.label = label }
            if let build { device.build = build }
            device.display = display.applied(to: device.display)
            if let biometrics { device.biometrics = biometrics }
        }
        return .json(changed.json)
    }

    /// The device that the path names; throws a 404 problem if it does not exist.
    func requestedDevice(_ context: RequestContext) async throws -> Device {
        let workspace = try scopeResolver.workspace(of: context)
        let id = context.parameters["device"] ?? ""
        guard let device = try await services.simulator.device(id, in: workspace) else {
            throw Problem.unknownDevice(id)
        }
        return device
    }

    /// Reads `"faceID"` or `{kind, enrolled, next}`.
    private func biometrics(_ body: inout BodyReader) -> Device.Biometrics? {
        guard let value = body.readValue("biometrics") else { return nil }
        if let word = value.string {
            guard let kind = Device.Biometrics.Kind(rawValue: word) else {
                body.addError("biometrics", "must be none, touchID or faceID")
                return nil
            }
            return Device.Biometrics(kind: kind)
        }
        guard case .object(let members) = value else {
            body.addError("biometrics", "must be a string or an object")
            return nil
        }
        var biometrics = Device.Biometrics()
        for member in members {
            switch (member.name, member.value) {
            case ("kind", .string(let word)):
                guard let kind = Device.Biometrics.Kind(rawValue: word) else {
                    body.addError("biometrics/kind", "must be none, touchID or faceID")
                    continue
                }
                biometrics.kind = kind
            case ("enrolled", .bool(let enrolled)): biometrics.isEnrolled = enrolled
            case ("next", .string(let word)):
                guard let next = Device.Biometrics.Result(rawValue: word) else {
                    body.addError("biometrics/next", "must be match, noMatch or cancel")
                    continue
                }
                biometrics.nextResult = next
            default: body.addError("biometrics/\(member.name)", "is unknown or has the wrong type")
            }
        }
        return biometrics
    }

    private func cookies(_ device: Device) -> JSON {
        [.storageStateCookie(scopeResolver.deviceCookieName(in: device.workspace), device.id)]
    }
}
