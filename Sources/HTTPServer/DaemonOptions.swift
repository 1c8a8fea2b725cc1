import CMicrohttpd

/// The list of options a daemon starts with.
struct DaemonOptions {
    // libmicrohttpd's header has no name for these two.
    typealias RequestBeganCallback =
        @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?) ->
        UnsafeMutableRawPointer?
    typealias UnescapeCallback =
        @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutablePointer<CChar>?) ->
        Int

    private var items: [MHD_OptionItem] = []

    /// A callback is passed as `value`, its context as `pointer`.
    mutating func add(_ option: MHD_OPTION, _ value: Int, _ pointer: UnsafeMutableRawPointer? = nil)
    { items.append(MHD_OptionItem(option: option, value: value, ptr_value: pointer)) }

    /// Lends the list, with the terminator that libmicrohttpd requires.
    func withArray<R>(_ body: (UnsafeMutablePointer<MHD_OptionItem>?) -> R) -> R {
        var terminatedItems = items
        terminatedItems.append(MHD_OptionItem(option: .END, value: 0, ptr_value: nil))
        return terminatedItems.withUnsafeMutableBufferPointer { body($0.baseAddress) }
    }
}
