// expect-error: value of type 'Source<Int>' has no dynamic member 'sendEvent' using key path from root type 'Int'
// SR-02: who was given the output alone cannot send
import PromisedSystem

func show(_ state: Source<Int>) -> Int {
    // <wrong>
    state.sendEvent(1)
    // </wrong>
    return state.value
}
