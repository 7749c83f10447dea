internal import PromisedSystem

extension AnyNode: InPlaceOwner {
    package final func beginChange() -> Bool { tree.gate.acquireSuspending() }
    package final func willSetChanged() { noteSuspension() }
    package final func endChange() { tree.releaseGate() }
}
