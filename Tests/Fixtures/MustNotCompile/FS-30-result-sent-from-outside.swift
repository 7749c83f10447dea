// expect-error: cannot convert value of type 'Private' to expected argument type 'String'
// FS-30: outsiders send what the service's scope embeds, and no private result
import PromisedSystem

enum Private: Sendable { case action(String), result(Int) }

func use(_ service: ScopedSystem<Int, String>) {
    service.sendEvent("an action")
    // <wrong>
    service.sendEvent(Private.result(1))
    // </wrong>
}
