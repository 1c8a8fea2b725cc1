import Core
import FoundationEssentials
import Simulator
import Web
import Workspaces

/// `/api/snapshots`, and restoring an app to an event.
enum SnapshotsAPI {
    private static let snapshotPath = "/api/snapshots/{snapshot}"

    static let endpoints = [
        Endpoint(
            .get, "/api/snapshots", "listSnapshots",
            "Lists the workspace's snapshots, newest first.",
            reading: {
                ($0.query.string("name", "Only snapshots with this name."), Paging(&$0.query))
            }, returning: .ok(.list(of: Snapshot.representation), "The list of snapshots.")
        ) { call, input in
            let (name, paging) = input
            return ListPage(
                try await call.services.simulator.snapshots(
                    in: try call.workspace, name: name, at: try paging.keyset()))
        },

        Endpoint(
            .post, "/api/snapshots", "takeSnapshot",
            "Stores a device's storage and screens, of all its apps or of one, "
                + "and the accounts, sessions, codes and mail of their contracts on "
                + "the embedded backend. By default of the cookie's or header's device.",
            reading: { parameters in
                let name = parameters.body.requiredString(
                    "name",
                    schema: [
                        "type": "string", "minLength": 1, "maxLength": JSON(Snapshot.maxNameLength),
                    ])
                if parameters.body.has("name"), let error = Snapshot.validationError(forName: name)
                {
                    parameters.body.addError("name", error)
                }
                return (
                    name, device: parameters.body.string("device"),
                    app: parameters.body.string("app")
                )
            }, returning: .created(Snapshot.representation, "The new snapshot.")
        ) { call, input in
            let workspace = try call.workspace
            var deviceID = input.device
            if deviceID == nil {
                deviceID = try await call.services.scopeResolver.resolveDevice(
                    of: call.context, in: workspace)?.id
            }
            guard let deviceID else {
                throw Problem(
                    status: 400, code: "no-device", title: "Missing device",
                    detail: """
                        Set /device, or send X-Foyer-Device or the device cookie. \
                        GET /api/devices lists the devices.
                        """, errors: [.init(pointer: "/device", detail: "is missing")])
            }
            do {
                return try await call.services.snapshots.take(
                    input.0, ofDevice: deviceID, app: input.app, in: workspace)
            } catch var problem as Problem where problem.errors.isEmpty {
                // In this call the body names the device and the app.
                let field = ["unknown-device": "device", "unknown-app": "app"]
                if let name = field[problem.code] {
                    problem.errors = [.init(pointer: "/\(name)", detail: problem.detail)]
                }
                throw problem
            }
        },

        Endpoint(
            .get, snapshotPath, "readSnapshot", "Returns one snapshot.",
            returning: .ok(Snapshot.representation, "The snapshot."), handler: snapshot),

        Endpoint(
            .delete, snapshotPath, "deleteSnapshot", "Deletes a snapshot.",
            returning: .noContent("The snapshot was deleted.")
        ) { call in try await call.services.snapshots.delete(try await snapshot(call)) },

        Endpoint(
            .post, snapshotPath + "/restore", "restoreSnapshot",
            "Restores device and server to a snapshot and discards later changes. "
                + "note describes the effect on tokens.",
            returning: .ok(restored, "The restored snapshot.")
        ) { call in
            let snapshot = try await snapshot(call)
            return (snapshot, try await call.services.snapshots.restore(snapshot))
        },

        Endpoint(
            .post, "/api/events/{event}/restore", "restoreToEvent",
            "Restores an event's app on its device to the state right after the "
                + "event: storage, session and screen. The server is unchanged; note "
                + "describes the status of the restored refresh token there. The newest "
                + "200 states of an app on a device are stored.",
            returning: .ok(restoredEvent, "The restored state.")
        ) { call in
            let event = try call.services.event(call.path("event"), in: try call.workspace)
            let (instance, note) = try await call.services.snapshots.restore(event)
            let status = try await call.services.simulator.status(instance)
            return (event, instance, status.screen, note)
        },
    ]

    @Sendable private static func snapshot(_ call: APICall) async throws -> Snapshot {
        try await call.services.snapshot(of: call.context)
    }

    private static let restored = Representation<(snapshot: Snapshot, note: String)>(
        "RestoredSnapshot",
        Snapshot.members.map { $0.of { $0.snapshot } } + [.init("note") { $0.note }])

    private static let restoredEvent = Representation<
        (event: Event, instance: AppInstance, screen: String, note: String)
    >(
        "RestoredState",
        [
            .init("event") { $0.event.id }, .init("app") { $0.instance.app },
            .init("device") { $0.instance.device }, .init("screen") { $0.screen },
            .init("note") { $0.note },
        ])
}

extension Snapshot {
    fileprivate static let representation = Representation("Snapshot", members)

    fileprivate static let members: [Representation<Snapshot>.Member] = [
        .init("id") { $0.id }, .init("name") { $0.name }, .init("device") { $0.device },
        .init("app") { $0.app }, .init("apps") { $0.apps }, .init("contracts") { $0.contracts },
        .init("createdAt") { $0.createdAt }, .init("bytes") { $0.byteCount },
    ]
}
