// expect-error: cannot assign to property: 'text' is a get-only property
// SA-02: a property that is declared with @Source is read-only
import PromisedSystem

struct Label {
    @Source var text: String
}

func example(label: Label) -> String {
    // <wrong>
    label.text = "other"
    // </wrong>
    return label.text
}
