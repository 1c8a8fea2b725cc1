/// The first line of a request as libmicrohttpd has taken it apart.
///
/// The pointers are good during `requestArrived` only.
struct RequestLine {
    let method: UnsafePointer<CChar>
    let target: UnsafePointer<CChar>
    let version: UnsafePointer<CChar>
}
