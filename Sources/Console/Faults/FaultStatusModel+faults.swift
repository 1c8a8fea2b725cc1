import Traffic

extension FaultStatusModel {
    /// `faults` are in order of application; `names` provides the display names of apps and
    /// devices.
    init(_ faults: [Fault], _ names: FaultNames) {
        let others = faults.count - 1
        banner = faults.first.map { first in
            Banner(
                bannerIcon: first.icon, bannerName: first.kind.name,
                bannerText: [names.sentence(first), first.usage(names.lastCall(first))].filter {
                    !$0.isEmpty
                }.joined(separator: " "), othersText: others > 0 ? "and \(others) more" : nil,
                turnOffAction: Links.turnOffFault(first.id))
        }
        faultChips = faults.prefix(3).map { Chip(chipText: $0.chipText, chipIcon: $0.icon) }
        moreText = faults.count > 3 ? "and \(faults.count - 3) more" : nil
        activeCount = faults.isEmpty ? nil : String(faults.count)
    }
}
