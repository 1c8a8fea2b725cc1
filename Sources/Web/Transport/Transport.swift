/// The way out: sends one request and says what came of it.
///
/// One real implementation (libcurl), so a struct of a closure. It never
/// throws: not getting an answer is a result like another.
package struct Transport: Sendable {
    package var send: @Sendable (OutboundRequest) async -> Delivery

    package init(
        send: @escaping @Sendable (OutboundRequest) async -> Delivery
    ) {
        self.send = send
    }
}
