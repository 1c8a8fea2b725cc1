import Apps
import Simulator
import Web

/// `…/storage`: an app's stored values on a device, one key at a time.
struct StorageAPI: Sendable {
    let services: Services
    let appStates: AppStateAPI

    /// Returns an unmasked value, as the only call, and publishes an event.
    @Sendable func read(_ context: RequestContext) async throws -> Response {
        _ = try context.query(allowing: [])
        let instance = try await appStates.instance(context)
        let key = context.parameters["key"] ?? ""
        let value = try await services.simulator.reveal(instance, key: key)
        let item = try await services.simulator.storageItems(instance).first { $0.key == key }
        return .json([
            "key": .string(key), "area": JSON(item?.area.rawValue), "value": .string(value),
        ])
    }

    @Sendable func write(_ context: RequestContext) async throws -> Response {
        let instance = try await appStates.instance(context)
        var body = try BodyReader(context.request)
        let value = body.requiredString("value", limit: 64 << 10)
        try body.finish()
        try await services.simulator.writeItem(
            instance, key: context.parameters["key"] ?? "", value: value)
        return .json(try await appStates.json(instance))
    }

    @Sendable func delete(_ context: RequestContext) async throws -> Response {
        let instance = try await appStates.instance(context)
        try await services.simulator.deleteItem(instance, key: context.parameters["key"] ?? "")
        return .json(try await appStates.json(instance))
    }

    @Sendable func deleteAll(_ context: RequestContext) async throws -> Response {
        let instance = try await appStates.instance(context)
        try await services.simulator.clearStorage(instance)
        return .json(try await appStates.json(instance))
    }
}
