import Apps
import Simulator
import Web

/// The app's stored data: clearing it, and editing one item.
extension StudioPages {
    @Sendable func confirmClearStorage(_ context: RequestContext) async throws -> Response {
        _ = try context.query(allowing: ["part"])
        let (instance, cookie) = try await resolveInstance(of: context)
        let count = try await services.simulator.storageItems(instance).count
        return try await services.confirm(
            context, "Clear app data", navItem: "studio", needsStudioScript: true, setting: cookie,
            ConfirmModel(
                action: Links.clearStorage(instance.app),
                question: "Clear \(Format.count(count, "stored item"))?",
                consequence: "Signs the user out on this device. Backend accounts are kept.",
                confirmLabel: "Clear \(Format.count(count, "item"))",
                backURL: Links.studio(instance.app)))
    }

    @Sendable func clearStorage(_ instance: AppInstance, _: RequestContext) async throws {
        try await services.simulator.clearStorage(instance)
    }

    /// Editing an item reveals its value, which is recorded as an event.
    @Sendable func itemPage(_ context: RequestContext) async throws -> Response {
        _ = try context.query(allowing: ["part"])
        let (instance, cookie) = try await resolveInstance(of: context)
        let key = context.parameters["key"] ?? ""
        let value = try await services.simulator.reveal(instance, key: key)
        return try await services.respond(
            to: context, makeItemPage(instance, key: key, value: value, error: nil),
            "studio/storeditempage", parts: ["dialog": "studio/storeditem"], setting: cookie)
    }

    @Sendable func saveItem(_ context: RequestContext) async throws -> Response {
        let (instance, _) = try await resolveInstance(of: context)
        let key = context.parameters["key"] ?? ""
        let value = try Form(context.request)["value"] ?? ""
        do { try await services.simulator.writeItem(instance, key: key, value: value) } catch let
            problem as Problem where problem.status < 500
        {
            let page = try await makeItemPage(
                instance, key: key, value: value, error: problem.detail)
            return try await services.respond(
                to: context, page, "studio/storeditempage", status: problem.status)
        }
        return redirectToStudio(instance)
    }

    @Sendable func deleteItem(_ instance: AppInstance, _ context: RequestContext) async throws {
        try await services.simulator.deleteItem(instance, key: context.parameters["key"] ?? "")
    }

    private func makeItemPage(
        _ instance: AppInstance, key: String, value: String, error: String?
    ) async throws -> Page<StoredItemModel> {
        let item = try await services.simulator.storageItems(instance).first { $0.key == key }
        return studioPage(
            key, instance,
            StoredItemModel(
                item: StoredItemModel.Item(
                    key: key, area: item?.area.rawValue ?? "keychain",
                    size: Format.size(value.utf8.count),
                    saveAction: Links.storedItem(instance.app, key),
                    deleteAction: Links.deleteStoredItem(instance.app, key),
                    backURL: Links.studio(instance.app), value: value, error: error)))
    }
}

/// Edits one stored item: a dialog (`studio/storeditem`) over a page (`studio/storeditempage`).
/// Opening it reveals the value and records that as an event.
struct StoredItemModel: Encodable, Sendable {
    var item: Item

    struct Item: Encodable, Sendable {
        var key: String
        /// `keychain` or `defaults`.
        var area: String
        /// `14 B`.
        var size: String
        /// POST `value`.
        var saveAction: String
        /// POST.
        var deleteAction: String
        var backURL: String
        var value: String
        /// Why saving failed; nil initially.
        var error: String?
    }
}
