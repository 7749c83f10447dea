import Foundation
import Testing

@testable import ProductPage

@Suite struct CharsetTests {
    private func text(_ bytes: [UInt8], charset: String? = nil) -> String {
        String(decoding: PageText(bytes, charset: charset).bytes, as: UTF8.self)
    }

    @Test(
        "an encoding that the server names",
        arguments: [
            ("utf-8", [0xC3, 0xA9], "é"), ("UTF8", [0xE2, 0x82, 0xAC], "€"), ("utf-16", [0xE9, 0], "é"),
            ("UTF-16LE", [0xAC, 0x20], "€"), ("utf-16be", [0x20, 0xAC], "€"), ("latin1", [0x80], "€"),
            ("ISO-8859-1", [0xE9, 0xFF], "éÿ"), ("us-ascii", [0x41, 0xE9], "Aé"), ("ISO-8859-2", [0xA9], "Š"),
            ("windows-1252", [0x80, 0x99, 0x81], "€™\u{FFFD}"), ("iso-8859-15", [0xA4, 0xA6, 0xE9], "€Šé"),
            ("windows-1251", [0xCB, 0xE0], "Ла"), ("windows-1250", [0x8A, 0xB3], "Šł"),
            ("cp1251", [0xCB], "Л"),
            ("windows-1254", [0xFD, 0xFE], "ış"), ("iso-8859-9", [0xFD], "ı"), ("windows-1256", [0xC7], "ا"),
            ("iso-8859-7", [0xE1], "α"), ("koi8-r", [0xEC, 0xC1], "Ла"), ("windows-874", [0xA1], "ก"),
            ("shift_jis", [0x83, 0x89], "ラ"), ("sjis", [0x83, 0x89], "ラ"),
            ("gbk", [0xC4, 0xE3, 0xBA, 0xC3], "你好"), ("gb18030", [0xC4, 0xE3, 0xFF, 0x41], "你\u{FFFD}A"),
            ("gb2312", [0xC4, 0xE3], "你"), ("big5", [0xA7, 0x41], "你"), ("euc-kr", [0xB0, 0xA1], "가"),
            (" \"utf-8\" ", [0xC3, 0xA9], "é"),
        ] as [(String, [UInt8], String)])
    func named(charset: String, bytes: [UInt8], expected: String) {
        #expect(text(bytes, charset: charset) == expected)
    }

    @Test("one that is not known counts for nothing: UTF-8, and what is malformed is seen to be")
    func unknown() {
        for charset in ["klingon", "", "utf-7", "iso-8859-99", "x\u{1B}[2J"] {
            #expect(text([0xC3, 0xA9, 0xFF], charset: charset) == "é\u{FFFD}")
        }
        #expect(text([0x00, 0xD8, 0x41, 0x00], charset: "utf-16") == "\u{FFFD}A")
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
        arguments: [
            (#"<!DOCTYPE html><html><head><META CHARSET='iso-8859-15'>"#, "€"),
            (#"<head><title>a <meta charset=utf-8></title><meta  charset = iso-8859-15 >"#, "€"),
            (#"<meta content="text/html; charset=ISO-8859-15" http-equiv=Content-Type>"#, "€"),
            (#"<!-- <meta charset="utf-8"> --><meta charset=" iso-8859-15 ">"#, "€"),
            (#"<meta name="description" content="charset=utf-8"><meta charset="iso-8859-15"/>"#, "€"),
            (#"<meta charset="utf-16">"#, "\u{FFFD}"), (#"<meta charset="none">"#, "\u{FFFD}"),
            (#"{"a":"<meta charset=iso-8859-15>"}"#, "\u{FFFD}"), ("<meta charset", "\u{FFFD}"),
            ("<p>" + String(repeating: "x", count: 9000) + #"<meta charset="iso-8859-15">"#, "\u{FFFD}"),
        ])
    func declared(page: String, expected: Character) {
        #expect(text(Array(page.utf8) + [0xA4]).last == expected)
    }

    @Test(
        "the parameter of a content type",
        arguments: [
            ("text/html; charset=ISO-8859-15", "ISO-8859-15"), ("text/html;Charset=\"x y\"; a=b", "x y"),
            ("text/html;a=b;charset= utf-8 ", "utf-8"), ("text/html", nil), ("charset=utf-8", nil),
            ("a;charset", nil),
        ])
    func contentType(type: String, charset: String?) {
        #expect(PageText.charset(ofContentType: type) == charset)
    }

    @Test(
        "what is malformed is shown, with a notice",
        arguments: [
            ([0xE9], nil, "is not valid UTF-8"), ([0x81], "windows-1252", "is not valid WINDOWS-1252"),
            ([0x41], nil, nil),
        ] as [([UInt8], String?, String?)])
    func notice(bytes: [UInt8], charset: String?, notice: String?) throws {
        let text = Array(#"{"@type":"Product","name":"T"#.utf8) + bytes + Array(#""}"#.utf8)
        let found = try ProductReader.read(text, charset: charset, from: "x")
        #expect(found.products.map(\.name) == [notice == nil ? "TA" : "T\u{FFFD}"])
        let expected = notice.map { "x: \($0); what is not is shown with replacement characters" }
        #expect(found.notices == [expected].compactMap { $0 })
    }
}
