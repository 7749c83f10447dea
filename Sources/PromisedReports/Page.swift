/// A page of HTML that loads nothing. Its policy lets only its own styles and script take effect, whatever the texts in
/// it contain.
package struct Page {
    /// A style or a script.
    package struct Part: Sendable {
        package let text: String
        /// The SHA-256 of the text, in Base64.
        package let hash: String

        package init(text: String, hash: String) { (self.text, self.hash) = (text, hash) }

        fileprivate var source: String { "'sha256-\(hash)'" }
    }

    private let title: String
    private let styles: [Part]
    private let scripts: [Part]
    /// Markup.
    private let content: String

    package init(title: String, styles: [Part] = [], scripts: [Part] = [], content: String) {
        (self.title, self.styles, self.scripts) = (title, [PageStyle.part] + styles, scripts)
        self.content = content
    }

    package var text: String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="\(policy)">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>\(Markup.escaped(title))</title>
        \(styles.map { "<style>\($0.text)</style>" }.joined(separator: "\n"))
        </head>
        <body>
        <main>
        <h1>\(Markup.escaped(title))</h1>
        \(content)
        </main>
        \(scripts.map { "<script>\($0.text)</script>\n" }.joined())</body>
        </html>

        """
    }

    private var policy: String {
        let scripts = scripts.isEmpty ? "'none'" : scripts.map(\.source).joined(separator: " ")
        return "default-src 'none'; style-src \(styles.map(\.source).joined(separator: " ")); "
            + "script-src \(scripts); base-uri 'none'; form-action 'none'"
    }
}
