import Traffic

extension TroubleModel {
    /// `conditions` in the order they strike; `names` tells what apps and
    /// devices are called.
    init(_ conditions: [Condition], _ names: ConditionNames) {
        let others = conditions.count - 1
        banner = conditions.first.map { first in
            Banner(
                bannerIcon: first.icon, bannerName: first.kind.name,
                bannerText: [names.sentence(first), first.usage(names.call(first))].filter {
                    !$0.isEmpty
                }.joined(separator: " "), others: others > 0 ? "and \(others) more" : nil,
                endAction: Links.endCondition(first.id))
        }
        troubles = conditions.prefix(3).map { Chip(chipText: $0.chip, chipSymbol: $0.icon) }
        more = conditions.count > 3 ? "and \(conditions.count - 3) more" : nil
        activeCount = conditions.isEmpty ? nil : String(conditions.count)
    }
}
