/// Ends the process, which the fuzzer reports as a finding.
func expect(_ holds: @autoclosure () -> Bool, _ rule: @autoclosure () -> String) {
    if !holds() { fatalError("does not hold: \(rule())") }
}

/// Text that is shown contains nothing that a terminal interprets, and is one line.
func expectVisible(_ text: String) {
    expect(text == text.visible, "nothing unsafe is shown: \(text.debugDescription)")
    for scalar in text.unicodeScalars {
        let isUnsafe =
            scalar.properties.generalCategory == .control || scalar.properties.isBidiControl
            || scalar.properties.generalCategory == .lineSeparator
            || scalar.properties.generalCategory == .paragraphSeparator
        expect(!isUnsafe, "no control or direction is shown: \(text.debugDescription)")
    }
}

/// A value written as JSON is safe to show, and is read back unchanged.
func expectReadAgain(_ value: JSON) {
    let text = value.description
    expectVisible(text)
    var reader = JSONReader(Array(text.utf8))
    let again = Result { try reader.document() }
    expect((try? again.get()) == value, "what is written is read again: \(text)")
}

/// Any bytes are read as products or as one clear line, and as the same ones each time.
func expectCatalogueOrReason(_ bytes: [UInt8]) {
    let outcome = Result { try ProductReader.read(bytes, from: "input") }
    switch (outcome, Result { try ProductReader.read(bytes, from: "input") }) {
    case (.success(let catalogue), .success(let again)):
        expect(catalogue == again, "reading is deterministic: \(catalogue) \(again)")
        expect(!catalogue.products.isEmpty, "a catalogue has a product")
        ProductText.list(catalogue).forEach(expectVisible)
        for product in catalogue.products.prefix(50) {
            ProductText.page(product).forEach(expectVisible)
            expectReadAgain(product.json)
        }
    case (.failure(let error), .failure(let again)):
        let line = "\(error)"
        expect(line == "\(again)", "failing is deterministic: \(error) \(again)")
        expect(line.hasPrefix("input: ") && line.utf8.count < 2000, "a failure is one short line: \(line)")
        expectVisible(line)
    case (let first, let second):
        expect(false, "reading is deterministic: \(first) \(second)")
    }
}
