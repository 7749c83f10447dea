import Foundation
import Testing

@testable import ProductPage

@Suite struct CharsetTests {
    private func text(_ bytes: [UInt8], charset: String? = nil) -> String {
        String(decoding: SourceText.utf8(bytes, charset: charset), as: UTF8.self)
    }

    @Test(
        "an encoding that the server names",
        arguments: CharsetCases.named)
    func named(charset: String, bytes: [UInt8], expected: String) {
        #expect(text(bytes, charset: charset) == expected)
    }

    @Test("one that nobody knows counts for nothing: UTF-8, and what is malformed is seen to be")
    func unknown() {
        for charset in ["klingon", "", "utf-7", "x\u{1B}[2J"] {
            #expect(text([0xC3, 0xA9, 0xFF], charset: charset) == "é\u{FFFD}")
        }
        #expect(text([0xFF, 0x41]) == "\u{FFFD}A")
        #expect(text([0x00, 0xD8, 0x41], charset: "utf-16") == "\u{FFFD}")
    }

    @Test("a byte-order mark wins, then the server, then the page")
    func order() {
        #expect(text([0xEF, 0xBB, 0xBF, 0xC3, 0xA9], charset: "iso-8859-1") == "é")
        #expect(text([0xFE, 0xFF, 0x20, 0xAC], charset: "utf-8") == "€")
        #expect(text([0xFF, 0xFE, 0xAC, 0x20]) == "€")
        let page = Array(#"<meta charset="windows-1251">"#.utf8) + [0xE9]
        #expect(text(page, charset: "iso-8859-1").last == "é")
        #expect(text(page).last == "й")
        #expect(text(page, charset: "klingon").last == "й")
    }

    @Test(
        "an encoding that the page names",
        arguments: CharsetCases.declared)
    func declared(page: String, expected: Character) {
        #expect(text(Array(page.utf8) + [0xA4]).last == expected)
    }

    @Test(
        "the parameter of a content type",
        arguments: CharsetCases.types)
    func contentType(type: String, charset: String?) {
        #expect(PageCharset.charset(ofContentType: type) == charset)
    }
}

private enum CharsetCases {
    static let types: [(String, String?)] = [
        ("text/html; charset=ISO-8859-15", "ISO-8859-15"), ("text/html;Charset=\"x y\"; a=b", "x y"),
        ("text/html;a=b;charset= utf-8 ", "utf-8"), ("text/html", nil), ("charset=utf-8", nil),
        ("a;charset", nil),
    ]

    static let named: [(String, [UInt8], String)] = [
        ("utf-8", [0xC3, 0xA9], "é"), ("UTF8", [0xE2, 0x82, 0xAC], "€"), ("utf-16", [0xE9, 0], "é"),
        ("UTF-16LE", [0xAC, 0x20], "€"), ("utf-16be", [0x20, 0xAC], "€"),
        ("ISO-8859-1", [0xE9, 0xFF], "éÿ"), ("latin1", [0x80], "€"), ("us-ascii", [0x41, 0xE9], "Aé"),
        ("windows-1252", [0x80, 0x99, 0x81], "€™\u{81}"),
        ("iso-8859-15", [0xA4, 0xA6, 0xA8, 0xB4, 0xB8, 0xBC, 0xBD, 0xBE, 0xE9], "€ŠšŽžŒœŸé"),
        ("windows-1251", [0xCB, 0xE0, 0xEC, 0xEF, 0xE0], "Лампа"), ("ISO-8859-2", [0xA9, 0xB3], "Šł"),
        ("windows-1250", [0x8A, 0xB3], "Šł"), ("shift_jis", [0x83, 0x89], "ラ"),
    ]

    static let declared: [(String, Character)] = [
        (#"<!DOCTYPE html><html><head><META CHARSET='iso-8859-15'>"#, "€"),
        (#"<head><title>a <meta charset=utf-8></title><meta  charset = iso-8859-15 >"#, "€"),
        (#"<meta content="text/html; charset=ISO-8859-15" http-equiv=Content-Type>"#, "€"),
        (#"<!-- <meta charset="utf-8"> --><meta charset=" iso-8859-15 ">"#, "€"),
        (#"<meta name="description" content="charset=utf-8"><meta charset="iso-8859-15"/>"#, "€"),
        (#"<meta charset="utf-16">"#, "\u{FFFD}"), (#"<meta charset="none">"#, "\u{FFFD}"),
        (#"{"a":"<meta charset=iso-8859-15>"}"#, "\u{FFFD}"), ("<p>", "\u{FFFD}"),
        ("<meta charset", "\u{FFFD}"),
        (String(repeating: " ", count: 9000) + #"<meta charset="iso-8859-15">"#, "\u{FFFD}"),
        ("<p>" + String(repeating: "x", count: 9000) + #"<meta charset="iso-8859-15">"#, "\u{FFFD}"),
    ]
}
