import Core
import SQLite
import Support
import Testing
import Traffic

@Suite(.timeLimit(.minutes(10))) struct EventLogTests {
    @Test func `a restart keeps the timeline and reuses no event id`() async throws {
        let frozen = FrozenWorld()
        let database = try Database(
            path: ":memory:", durability: .normal, migrations: TrafficSchema.migrations)
        let hub = EventHub(now: { frozen.now })
        let log = EventLog(database: database, world: frozen.world)
        try await log.attach(to: hub)
        let event = hub.publish(
            Event(
                workspace: "main", kind: .storageWritten, app: "mystica", device: "dev_1",
                cause: nil,
                subject: "key", title: "key written", details: ["bytes": "12"]))
        await log.flush()

        let nextHub = EventHub(now: { frozen.now })
        let nextLog = EventLog(database: database, world: frozen.world)
        try await nextLog.attach(to: nextHub)
        let restored = try #require(nextHub.events(in: "main").first)
        #expect(restored.id == event.id && restored.at == event.at)
        #expect(restored.workspace == "main" && restored.kind == .storageWritten)
        #expect(restored.app == "mystica" && restored.device == "dev_1")
        #expect(restored.subject == "key" && restored.title == "key written")
        #expect(restored.cause == nil && restored.details == ["bytes": "12"])
        #expect(nextHub.lastID(in: "main") > event.id)
    }
}
