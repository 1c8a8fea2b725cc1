/// A binary heap of search steps: lowest cost first, then lowest step index.
struct PriorityQueue {
    private var heap: [(cost: Int, step: Int)] = []

    mutating func push(_ step: Int, _ cost: Int) {
        heap.append((cost, step))
        var child = heap.count - 1
        while child > 0, heap[child] < heap[(child - 1) / 2] {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    mutating func pop() -> Int? {
        guard let first = heap.first else { return nil }
        let last = heap.removeLast()
        guard !heap.isEmpty else { return first.step }
        heap[0] = last
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < heap.count && heap[child] < heap[least] { least = child }
            guard least != parent else { return first.step }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
