import FoundationEssentials
import Traffic
import Web

/// `/api/faults`: injected faults.
enum FaultsAPI {
    static let endpoints = [
        Endpoint(
            .get, "/api/faults", "listFaults",
            "Lists active faults in the order in which they apply.",
            returning: .ok(.list(of: Fault.representation), "The list of faults.")
        ) { call in ListPage(call.services.faults.list(in: try call.workspace)) },

        // Creates one fault by its `kind`, or those of the preset.
        Endpoint(
            .post, "/api/faults", "createFault",
            "Adds a fault by its kind, or the faults of a preset.",
            reading: { NewFaults(&$0.body) },
            returning: .response(
                201, "The new fault, or the list of the preset's faults.",
                [
                    .json(
                        Schema.anyOf([
                            Fault.representation.schema,
                            Representation.list(of: Fault.representation).schema,
                        ]))
                ]), errors: [409: "The workspace has too many faults."]
        ) { call, new in
            let validator = FaultValidator(services: call.services, workspace: try call.workspace)
            guard let preset = new.preset else {
                return .plainJSON(
                    Fault.representation.json(try await validator.add(new.draft)), status: 201)
            }
            let faults = try await validator.applyPreset(
                preset, app: new.draft.app, device: new.draft.device)
            return .plainJSON(
                Representation.list(of: Fault.representation).json(ListPage(faults)), status: 201)
        },

        Endpoint(
            .delete, "/api/faults", "deleteFaults",
            "Turns off all faults of the workspace, or those of one preset.",
            reading: {
                $0.query.choice(
                    "preset", "Only the faults of this preset.", among: Fault.presets.map(\.id),
                    schema: presetID)
            }, returning: .noContent("The faults were turned off.")
        ) { call, presetID in
            try await call.services.faults.remove(in: call.workspace) {
                presetID == nil || $0.presetID == presetID
            }
        },

        Endpoint(
            .get, "/api/faults/presets", "listFaultPresets", "Lists the fault presets.",
            returning: .ok(.list(of: Fault.Preset.representation), "The list of presets.")
        ) { _ in ListPage(Fault.presets) },

        Endpoint(
            .get, "/api/faults/{fault}", "readFault", "Returns one active fault.",
            returning: .ok(Fault.representation, "The fault.")
        ) { call in
            let id = call.path("fault")
            let faults = call.services.faults.list(in: try call.workspace)
            guard let fault = faults.first(where: { $0.id == id }) else {
                throw Problem.unknownFault(id)
            }
            return fault
        },

        Endpoint(
            .delete, "/api/faults/{fault}", "deleteFault", "Turns off a fault.",
            returning: .noContent("The fault was turned off.")
        ) { call in
            let id = call.path("fault")
            let count = try await call.services.faults.remove(in: call.workspace) { $0.id == id }
            guard count > 0 else { throw Problem.unknownFault(id) }
        },
    ]

    fileprivate static let presetID = Schema.choice(
        Fault.presets.map(\.id), named: "FaultPresetID")
}

private struct NewFaults: Sendable {
    /// Its faults are created for the draft's app and device.
    let preset: Fault.Preset?
    let draft: Fault.Draft

    init(_ body: inout BodyReader) {
        preset = body.choice(
            "preset", among: Fault.presets.map(\.id), schema: FaultsAPI.presetID
        ).flatMap(Fault.preset)
        let isPreset = body.has("preset")
        let kind = body.choice("kind", of: Fault.Kind.self)
        var draft = Fault.Draft(
            kind ?? .offline, app: body.string("app", limit: 64),
            device: body.string("device", limit: 64), call: body.string("call", limit: 64))
        draft.times = body.integer("times", schema: Schema.integer(in: 1...Fault.Draft.maxTimes))
        draft.phase = body.choice("phase", of: Fault.Phase.self) ?? .before
        draft.status = body.integer("status", schema: Schema.integer(in: 200...599))
        draft.body = body.string("body", limit: 1 << 20)
        draft.headers = body.strings("headers") ?? [:]
        draft.delay = body.number(
            "delay",
            schema: [
                "type": "number", "exclusiveMinimum": 0, "maximum": .double(Fault.Draft.maxDelay),
            ])
        draft.retryAfter = body.integer("retryAfter", schema: Schema.integer(in: 0...86_400))
        draft.skew = body.integer("skew")
        self.draft = draft
        if !isPreset, !body.has("kind") { body.addError("kind", "is missing") }
        for name in [
            "kind", "call", "times", "phase", "status", "body", "headers", "delay", "retryAfter",
            "skew",
        ] where isPreset && body.has(name) { body.addError(name, "cannot be combined with preset") }
    }
}

extension Fault {
    /// `text` describes the fault in a sentence.
    fileprivate static let representation = Representation<Fault>(
        "Fault",
        [.init("id") { $0.id }] + Draft.members.map { $0.of { $0.draft } } + [
            .init("applied") { $0.appliedCount }, .init("remaining") { $0.remaining },
            .init("preset") { $0.presetID },
            .init(
                "lastAffected",
                optional: Representation([
                    .init("exchange") { $0.exchangeID }, .init("call") { $0.call },
                    .init("at") { $0.at },
                ])
            ) { $0.lastAffected },
            .init("text") { $0.sentence(app: $0.draft.app, device: $0.draft.device) },
            .init("createdAt") { $0.createdAt },
        ])
}

extension Fault.Preset {
    fileprivate static let representation = Representation<Self>(
        "FaultPreset",
        [
            .init("id") { $0.id }, .init("name") { $0.name }, .init("text") { $0.summary },
            .init("faults", array: Representation(Fault.Draft.members)) { $0.drafts },
        ])
}

extension Fault.Draft {
    fileprivate static let members: [Representation<Self>.Member] = [
        .init("kind", choice: { $0.kind }), .init("app") { $0.app }, .init("device") { $0.device },
        .init("call") { $0.call }, .init("times") { $0.times },
        .init("phase", choice: { $0.phase }), .init("status") { $0.status },
        .init("body") { $0.body }, .init("headers") { $0.headers }, .init("delay") { $0.delay },
        .init("retryAfter") { $0.retryAfter }, .init("skew") { $0.skew },
    ]
}
