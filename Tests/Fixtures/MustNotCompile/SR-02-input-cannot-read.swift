// expect-error: value of type '(Int) -> Void' has no member 'state'
// SR-02: who was given the input alone cannot read
import PromisedSystem

func tap(_ send: (Int) -> Void) {
    send(1)
    // <wrong>
    print(send.state)
    // </wrong>
}

func hand(_ system: ScopedSystem<Int, Int>) { tap { system.sendEvent($0) } }
