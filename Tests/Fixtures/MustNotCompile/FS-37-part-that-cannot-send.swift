// expect-error: cannot convert value of type 'Int' to expected argument type 'Never'
// FS-37: who was given a part without its events cannot send
import PromisedSystem

func example(part: ScopedSystem<Int, Never>) {
    // <wrong>
    part.sendEvent(1)
    // </wrong>
}
