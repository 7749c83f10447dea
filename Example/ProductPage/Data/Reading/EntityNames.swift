/// The named characters that product texts use: the whole of Latin-1, and common punctuation and signs.
enum EntityNames {
    static let table: [String: Unicode.Scalar] = {
        var table: [String: Unicode.Scalar] = [:]
        for (offset, name) in latin1.split(separator: " ").enumerated() {
            table[String(name)] = Unicode.Scalar(UInt8(160 + offset))
        }
        for pair in others.unicodeScalars.split(separator: " ") {
            table[String(String.UnicodeScalarView(pair.dropLast()))] = pair.last
        }
        return table
    }()

    /// In the order of their codes, from 160 to 255.
    private static let latin1 = """
        nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr \
        deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest \
        Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml \
        ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig \
        agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml \
        eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml
        """

    /// Each name with its character behind it.
    private static let others = """
        amp& lt< gt> quot" apos' AMP& LT< GT> QUOT" num# excl! percnt% lpar( rpar) ast* plus+ comma, \
        period. sol/ colon: semi; equals= quest? commat@ lsqb[ rsqb] lowbar_ vert| Tab\t NewLine\n \
        hyphen\u{2010} ndash– mdash— lsquo‘ rsquo’ sbquo‚ ldquo“ rdquo” bdquo„ lsaquo‹ rsaquo› hellip… bull• \
        dagger† Dagger‡ permil‰ prime′ Prime″ euro€ trade™ ensp\u{2002} emsp\u{2003} thinsp\u{2009} \
        zwnj\u{200C} zwj\u{200D} lrm\u{200E} rlm\u{200F} OElig\u{152} oelig\u{153} Scaron\u{160} \
        scaron\u{161} Zcaron\u{17D} zcaron\u{17E} Ccaron\u{10C} ccaron\u{10D} Yuml\u{178} fnofƒ circˆ \
        tilde˜ minus− le≤ ge≥ ne≠ asymp≈ infin∞ radic√ larr← uarr↑ rarr→ darr↓ harr↔ hearts♥ check✓ star☆ \
        starf★ OmegaΩ omegaω alphaα betaβ gammaγ deltaδ DeltaΔ muμ piπ
        """
}
