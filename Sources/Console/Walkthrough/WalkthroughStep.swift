import Apps

/// A step of an app's walkthrough: a screen, and what is said of it.
struct WalkthroughStep: Sendable, Equatable {
    /// Its place in the address: the screen's name, with a number where a
    /// screen is come to again.
    var id: String
    var screen: Screen
    /// What a person would call it: `Verify`, `New password`.
    var name: String
    /// Nil where the manifest says nothing.
    var note: String?
    var points: [App.WalkthroughPoint] = []

    /// The heading: the screen's own, unless that is only the app's name.
    func title(in app: App) -> String { screen.title == app.name ? name : screen.title }
}

extension App {
    /// The steps of the manifest's walkthrough; an app without one is walked
    /// through screen by screen, as they are met.
    var walkthroughSteps: [WalkthroughStep] {
        let told =
            walkthrough.isEmpty
            ? RoutePlanner(self).reachableScreens.map {
                (screen: $0, note: String?.none, points: [WalkthroughPoint]())
            }
            : walkthrough.map { (screen: $0.screen, note: $0.note, points: $0.points) }
        var times: [String: Int] = [:]
        return told.compactMap { step in
            guard let screen = screen(step.screen) else { return nil }
            times[screen.id, default: 0] += 1
            let time = times[screen.id] ?? 1
            return WalkthroughStep(
                id: time > 1 ? "\(screen.id)-\(time)" : screen.id, screen: screen,
                name: screen.displayName, note: step.note, points: step.points)
        }
    }
}

extension Screen {
    /// Its id as words: `newPassword` as `New password`.
    var displayName: String {
        var words = ""
        for letter in id {
            if letter == "-" || letter == "_" {
                words += " "
            } else if letter.isUppercase, !words.isEmpty {
                words += " " + letter.lowercased()
            } else {
                words.append(letter)
            }
        }
        return words.capitalizedFirst
    }
}
