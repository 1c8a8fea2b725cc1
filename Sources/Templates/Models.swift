import Synchronization

/// Lends models to renderings, which give them back.
final class Models: Sendable {
    /// Idle models kept: a burst of renderings leaves no more than this.
    private static let kept = 8

    private let idle = Mutex<[Model]>([])

    /// An empty model that nobody else uses until it is returned.
    func lend() throws(Model.OutOfMemory) -> Model {
        if let model = idle.withLock({ $0.popLast() }) { return model }
        return try Model()
    }

    func takeBack(_ model: Model) {
        guard model.clear() else { return }
        idle.withLock { idle in
            if idle.count < Self.kept { idle.append(model) }
        }
    }
}
