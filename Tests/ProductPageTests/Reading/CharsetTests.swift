import Foundation
import Testing

@testable import ProductPage
@testable import ProductReading

@Suite struct CharsetTests {
    private func text(_ bytes: [UInt8], charset: String? = nil) -> String {
        String(decoding: PageText(bytes, charset: charset).bytes, as: UTF8.self)
    }

    @Test(
        "an encoding that the server names",
        arguments: rows(
            """
            utf-8 C3A9 => é | UTF8 E282AC => € | utf-16 E900 => é | UTF-16LE AC20 => € | utf-16be 20AC => €
            latin1 80 => € | ISO-8859-1 E9FF => éÿ | us-ascii 41E9 => Aé | ISO-8859-2 A9 => Š | cp1251 CB => Л
            windows-1252 809981 => €™\u{FFFD} | iso-8859-15 A4A6E9 => €Šé | windows-1251 CBE0 => Ла
            windows-1250 8AB3 => Šł | windows-1254 FDFE => ış | iso-8859-9 FD => ı | windows-1256 C7 => ا
            iso-8859-7 E1 => α | koi8-r ECC1 => Ла | windows-874 A1 => ก | shift_jis 8389 => ラ | sjis 8389 => ラ
            gbk C4E3BAC3 => 你好 | gb18030 C4E3FF41 => 你\u{FFFD}A | gb2312 C4E3 => 你 | big5 A741 => 你
            euc-kr B0A1 => 가 | "utf-8" C3A9 => é | klingon C3A9FF => é\u{FFFD} | utf-7 C3A9FF => é\u{FFFD}
            utf-16 00D84100 => \u{FFFD}A | euc-jp 41C5ECB5FE7D => A東京} | EUC-JP 8EB1A4A2A3C1 => ｱあＡ
            euc-jp C541FF => \u{FFFD}A\u{FFFD} | x-euc-jp 8FB0A141 => \u{FFFD}A | euc-jp C5 => \u{FFFD}
            iso-2022-jp 1B2442456C1B2842 => 東 | ms_kanji 8389 => ラ | MS932 8389 => ラ | csShiftJIS 8389 => ラ
            csEUCPkdFmtJapanese C5EC => 東 | x-gbk C4E3 => 你 | chinese C4E3 => 你 | gb_2312-80 C4E3 => 你
            cn-big5 A741 => 你 | x-x-big5 A741 => 你 | korean B0A1 => 가 | windows-949 B0A1 => 가 | ks_c_5601-1989 B0A1 => 가
            """))
    func named(row: Row) {
        let parts = row.given.split(separator: " ").map(String.init)
        let digits = Array(parts[1])
        let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(digits[$0...($0 + 1)]), radix: 16)
        }
        #expect(text(bytes, charset: parts[0]) == row.expected)
    }

    @Test("every encoding that is known reads ASCII, or is UTF-16: else all of a page would be replaced")
    func ascii() {
        for (name, number) in Table.numbers(PackageResources.encodings_txt) {
            let page = #"<a b="1">{'x': ["y"]}~\&</a>"#
            #expect(name.hasPrefix("utf16") || text(Array(page.utf8), charset: name) == page, "\(number)")
        }
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
        arguments: rows(
            #"""
            <!DOCTYPE html><html><head><META CHARSET='iso-8859-15'> => € | <meta charset="none"> => \#u{FFFD}
            <head><title>a <meta charset=utf-8></title><meta  charset = iso-8859-15 > => € | <meta charset => \#u{FFFD}
            <meta content="text/html; charset=ISO-8859-15" http-equiv=Content-Type> => €
            <!-- <meta charset="utf-8"> --><meta charset=" iso-8859-15 "> => € | <meta charset="utf-16"> => \#u{FFFD}
            <meta name="description" content="charset=utf-8"><meta charset="iso-8859-15"/> => €
            {"a":"<meta charset=iso-8859-15>"} => \#u{FFFD}
            """#))
    func declared(row: Row) {
        #expect(text(Array(row.given.utf8) + [0xA4]).last == row.expected.last)
        let late = "<p>" + String(repeating: "x", count: 9000) + row.given
        #expect(text(Array(late.utf8) + [0xA4]).last == "\u{FFFD}")
    }

    @Test(
        "the parameter of a content type",
        arguments: rows(
            """
            text/html; charset=ISO-8859-15 => ISO-8859-15 | text/html;Charset="x y"; a=b => x y | text/html => none
            text/html;a=b;charset= utf-8 => utf-8 | charset=utf-8 => none | a;charset => none
            """))
    func contentType(row: Row) {
        #expect(PageText.charset(ofContentType: row.given) ?? "none" == row.expected)
    }

    @Test(
        "what is malformed is shown, with a notice",
        arguments: [(0xE9, nil), (0x81, "windows-1252"), (0x41, "utf-8")])
    func notice(byte: UInt8, charset: String?) throws {
        let text = Array(#"{"@type":"Product","name":"T"#.utf8) + [byte] + Array(#""}"#.utf8)
        let found = try ProductReader.read(text, charset: charset, from: "x")
        let isWhole = byte == 0x41
        #expect(found.products.map(\.name) == [isWhole ? "TA" : "T\u{FFFD}"])
        let name = charset?.uppercased() ?? "UTF-8"
        let notice = "x: is not valid \(name); what is not is shown with replacement characters"
        #expect(found.notices == (isWhole ? [] : [notice]))
    }
}
