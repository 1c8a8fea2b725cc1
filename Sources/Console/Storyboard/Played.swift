/// A state that was played, and what is said of it now.
struct Played: Sendable {
    var scene: Scene
    var showing: Showing
}
