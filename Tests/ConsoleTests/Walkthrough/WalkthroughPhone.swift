import Support
import Web

/// The device that a page of the walkthrough shows, read from the URL of its frame.
struct WalkthroughPhone: Equatable {
    var device: String
    var app: String
    var screen: String

    var path: String { "/devices/\(device)/apps/\(app)/\(screen)" }

    init?(_ page: String) {
        guard let start = page.firstRange(of: "src=\"/devices/") else { return nil }
        let address = page[start.upperBound...].prefix { $0 != "\"" && $0 != "?" }
        let parts = address.split(separator: "/").map(String.init)
        guard parts.count == 4 else { return nil }
        (device, app, screen) = (parts[0], parts[2], parts[3])
    }
}

extension String {
    /// The number of occurrences of `part`.
    func occurrences(of part: String) -> Int { ranges(of: part).count }
}

extension FoyerFixture {
    /// Moves the device to a step with the step's form, then requests the step's page.
    func goToStep(_ app: String, _ step: String, device: String, sizes: String = "one") async -> (
        status: Int, text: String, headers: Headers
    ) {
        let sent = await submit(
            "/walkthrough/\(app)/\(step)/device", [("sizes", sizes)], device: device)
        return await page(sent.location ?? "", device: device)
    }
}
