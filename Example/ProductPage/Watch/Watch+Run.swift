import Foundation
import ProductReading
import PromisedSystem
import ToolSupport

extension Watch {
    /// Runs until the price is low enough. A line of output for each change of it; failures are messages.
    ///
    /// - Throws: `PageError` if there is no such source or product.
    func run(on scheduler: some SerialScheduler, console: Console, asJSON: Bool) async throws {
        let system = system(on: scheduler)
        system.onLoop { record in
            if let line = changeLine(record.before, record.after, at: Date(), asJSON: asJSON) {
                console.output(line)
            }
            if let line = messageLine(record.before, record.after) { console.report(line) }
        }
        // Not before there are callbacks: none of what happens is to be missed.
        system.sendEvent(.look)
        let last = await system.settled.values.first { isOver($0) }
        if let error = last?.error { throw error }
    }

    /// The change as a line; nil if there is none.
    func changeLine(_ before: State, _ after: State, at time: Date, asJSON: Bool) -> String? {
        guard let product = after.product, after.error == nil else { return nil }
        if let old = before.product, (old.price, old.availability) == (product.price, product.availability) {
            return nil
        }
        let time = time.formatted(.iso8601)
        if asJSON { return TimedProduct(time: time, product: ProductJSON(product)).jsonLine }
        let availability = product.availability.map { ", \($0)" } ?? ""
        return "\(time)  \(product.name): \(ProductText.price(product))\(availability)".visible
    }

    private struct TimedProduct: Encodable {
        var time: String
        var product: ProductJSON
    }

    /// Why a look failed and when the next one is, or that looks no longer fail; nil if that was said before.
    func messageLine(_ before: State, _ after: State) -> String? {
        let name = after.product?.name.visible ?? ""
        if let error = after.error {
            guard let next = pause(after: after), error != before.error || next != pause(after: before) else {
                return nil
            }
            return
                "\(error); looking again in \(DecimalText.plain(Decimal(Int(next / .milliseconds(1))) / 1000)) s"
        }
        if below != nil, after.price == nil, before.product?.price != after.product?.price {
            return "\(name): this price cannot be compared with --below"
        }
        return before.error == nil ? nil : "\(name): seen again"
    }
}
