/// The input of a terminal.
enum KeyTarget {
    /// A longer input may be an unterminated sequence, which is dropped at some point.
    private static let longest = 4096

    static func check(_ input: [UInt8]) {
        var whole = KeyDecoder()
        var keys = whole.decode(input)
        expect(keys.count <= input.count, "no byte is two keys")
        for key in keys {
            _ = KeyCommand(key: key)
            expectVisible(key.visible)
        }
        let patience = whole.patience
        keys += whole.timeOut()
        expect(whole.patience == nil, "nothing is waited for any more")
        guard input.count <= longest else { return }

        var pieces = KeyDecoder()
        var same = input.flatMap { pieces.decode([$0]) }
        expect(pieces.patience == patience, "reads make no difference")
        same += pieces.timeOut()
        expect(same == keys, "reads make no difference: \(keys) \(same)")
    }
}
