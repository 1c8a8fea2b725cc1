package import Backend
package import Simulator
import Surroundings
import Web

/// Both halves of a snapshot under one id: what a device keeps and shows, and
/// what the embedded backend knew then.
///
/// The backend's half is written first, so that a kill in between leaves one
/// that nobody lists; the next start clears it away.
struct Snapshots: Sendable {
    let services: Services

    /// Takes one of a device's apps, or of one; and of those contracts of
    /// the embedded backend that they talk to.
    func take(
        _ name: String, ofDevice device: String, app: String?,
        in workspace: String
    ) async throws -> Snapshot {
        let scope = try await services.simulator.scope(
            ofDevice: device, app: app, in: workspace)
        let contracts = Set(
            scope.compactMap {
                services.contract(ofBackend: $0.backend, app: $0.app)
            }
        ).sorted()
        let id = services.world.identifier("snap")
        let snapshot: Snapshot
        do {
            snapshot = try await services.simulator.takeSnapshot(
                id, name: name, ofDevice: device, app: app,
                contracts: contracts, in: workspace
            ) {
                try await services.backend.keep(
                    snapshot: id, contracts: contracts, workspace: workspace)
            }
        } catch {
            try await services.backend.forget(snapshot: id)
            throw error
        }
        tell(.snapshotTaken, snapshot, "Snapshot “\(name)” was taken")
        return snapshot
    }

    /// Puts everything back; answers what that means.
    func restore(_ snapshot: Snapshot) async throws -> String {
        try await services.simulator.restore(snapshot) {
            let isWhole = try await services.backend.restore(
                snapshot: snapshot.id)
            guard isWhole || snapshot.contracts.isEmpty else {
                throw Problem(
                    status: 409, code: "half-missing",
                    title: "The server's half of the snapshot is gone",
                    detail: "The device alone would hold tokens the server "
                        + "does not know. Delete it and take another.")
            }
        }
        tell(
            .snapshotRestored, snapshot,
            "Snapshot “\(snapshot.name)” was put back")
        return try await RestoreNote(services: services).of(snapshot)
    }

    func delete(_ snapshot: Snapshot) async throws {
        try await services.simulator.delete(snapshot: snapshot.id)
        try await services.backend.forget(snapshot: snapshot.id)
        tell(
            .snapshotRemoved, snapshot,
            "Snapshot “\(snapshot.name)” was deleted")
    }

    private func tell(
        _ kind: Event.Kind, _ snapshot: Snapshot, _ title: String
    ) {
        services.hub.publish(
            EventDraft(
                workspace: snapshot.workspace, kind: kind, app: snapshot.app,
                device: snapshot.device, subject: snapshot.id, title: title,
                facts: ["name": snapshot.name]))
    }
}

/// What a kill between the halves of a snapshot left.
package enum SnapshotHalves {
    /// Clears away every half without its other; called at the start, before
    /// anybody can ask.
    package static func settle(
        _ simulator: Simulator, _ backend: EmbeddedBackend
    ) async throws {
        let (devices, server) = (
            try await simulator.snapshotIDs(), try await backend.snapshotIDs()
        )
        for id in devices.subtracting(server) {
            try await simulator.delete(snapshot: id)
        }
        for id in server.subtracting(devices) {
            try await backend.forget(snapshot: id)
        }
    }
}
