import Foundation

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

/// An object written as JSON is safe to show, and is one that others read.
func expectReadable(_ line: String) {
    expectVisible(line)
    let object = try? JSONSerialization.jsonObject(with: Data(line.utf8))
    expect(object is [String: Any], "what is written is JSON: \(line)")
}

/// Any bytes are read as products or as one clear line, and as the same ones each time.
func expectCatalogueOrReason(_ bytes: [UInt8], charset: String? = nil) {
    let outcome = Result { try ProductReader.read(bytes, charset: charset, from: "input") }
    switch (outcome, Result { try ProductReader.read(bytes, charset: charset, from: "input") }) {
    case (.success(let catalogue), .success(let again)):
        expect(catalogue == again, "reading is deterministic: \(catalogue) \(again)")
        expect(!catalogue.products.isEmpty, "a catalogue has a product")
        catalogue.notices.forEach(expectVisible)
        ProductText.list(catalogue.products).forEach(expectVisible)
        for product in catalogue.products.prefix(50) {
            ProductText.page(product).forEach(expectVisible)
            expectReadable(ProductJSON(product).jsonLine)
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
