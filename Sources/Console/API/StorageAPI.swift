import Apps
import Simulator
import Web

/// `…/storage`: what an app keeps on a device, one key at a time.
struct StorageAPI: Sendable {
    let services: Services
    let situations: SituationAPI

    /// The one way to a whole value; an event notes it.
    @Sendable func read(_ visit: Visit) async throws -> Response {
        _ = try visit.query(allowing: [])
        let place = try await situations.place(visit)
        let key = visit.parameters["key"] ?? ""
        let value = try await services.simulator.reveal(place, key: key)
        let item = try await services.simulator.items(place).first { $0.key == key }
        return .json([
            "key": .string(key), "area": JSON(item?.area.rawValue), "value": .string(value),
        ])
    }

    @Sendable func write(_ visit: Visit) async throws -> Response {
        let place = try await situations.place(visit)
        var body = try BodyReader(visit.request)
        let value = body.required("value", limit: 64 << 10)
        try body.finish()
        try await services.simulator.write(place, key: visit.parameters["key"] ?? "", value: value)
        return .json(try await situations.json(place))
    }

    @Sendable func delete(_ visit: Visit) async throws -> Response {
        let place = try await situations.place(visit)
        try await services.simulator.forget(place, key: visit.parameters["key"] ?? "")
        return .json(try await situations.json(place))
    }

    @Sendable func deleteAll(_ visit: Visit) async throws -> Response {
        let place = try await situations.place(visit)
        try await services.simulator.forgetAll(place)
        return .json(try await situations.json(place))
    }
}
