/// The first line of a request as libmicrohttpd has split it.
///
/// The pointers are valid only during `requestArrived`.
struct RequestLine {
    let method: UnsafePointer<CChar>
    let target: UnsafePointer<CChar>
    let version: UnsafePointer<CChar>
}
