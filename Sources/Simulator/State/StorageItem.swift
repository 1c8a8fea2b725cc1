import Apps
import FoundationEssentials
import Web

/// An item of a device's storage, with its unmasked value.
struct StorageItem: Sendable, Equatable {
    var area: StorageKey.Area
    var key: String
    /// The text of a string; the JSON text of anything else.
    var value: String
    /// Whether `value` is JSON text, so that a number stays one.
    var isJSON: Bool
    var writtenAt: Date

    init(area: StorageKey.Area, key: String, value: String, isJSON: Bool, writtenAt: Date) {
        self.area = area
        self.key = key
        self.value = value
        self.isJSON = isJSON
        self.writtenAt = writtenAt
    }

    init(_ declared: StorageKey, _ json: JSON, at writtenAt: Date) {
        if declared.isSecondsFromNow, let seconds = json.scalarText.flatMap(Double.init),
            seconds.isFinite
        {
            value = writtenAt.addingTimeInterval(seconds).iso8601
            isJSON = false
        } else if let text = json.string {
            value = text
            isJSON = false
        } else {
            value = json.description
            isJSON = true
        }
        area = declared.area
        key = declared.key
        self.writtenAt = writtenAt
    }

    /// The value as it was captured.
    var json: JSON {
        guard isJSON else { return .string(value) }
        return (try? JSON(parsing: value)) ?? .string(value)
    }
}
