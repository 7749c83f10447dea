# The links between pages, as DocC knows them. A page is read where its file is shown, too: there a link has the path of
# a file, such as AFirstApp.md#step-1, or ../../Promise/Promise.docc/Cancellation.md, which DocC would take for a place
# on the web.
#
# awk -v module=MODULE -v base=/PATH -f links.awk reading=1 EVERY-PAGE… reading=0 PAGE
#
# While it is reading, pages are only asked for their headings: DocC writes an anchor as its heading, with capitals.

# slug(HEADING): what follows the "#".
function slug(heading) {
    sub(/^#+ +/, "", heading)
    gsub(/[^A-Za-z0-9 _-]/, "", heading)
    gsub(/ /, "-", heading)
    return heading
}

# place(PATH): DocC's name for a page; one of another module is only known by its address.
function place(path,    parts, page, anchor, folder, count) {
    anchor = path
    if (!sub(/^[^#]*#/, "#", anchor)) anchor = ""
    sub(/#.*/, "", path)
    count = split(path, parts, "/")
    page = substr(parts[count], 1, length(parts[count]) - 3)
    if (anchor != "") anchor = "#" anchors[page anchor]
    folder = count > 1 ? parts[count - 2] : module
    if (folder == module) return "doc:" page anchor
    return base "/documentation/" tolower(folder) (page == folder ? "" : "/" tolower(page)) anchor
}

FNR == 1 && reading { page = FILENAME; sub(/.*\//, "", page); sub(/\.md$/, "", page); fenced = 0 }
reading && /^```/ { fenced = !fenced }
reading && !fenced && /^##+ / { anchors[page "#" tolower(slug($0))] = slug($0) }
reading { next }

{
    line = $0
    done = ""
    while (match(line, /\]\([A-Za-z0-9.\/]+\.md(#[^)]*)?\)/)) {
        path = substr(line, RSTART + 2, RLENGTH - 3)
        done = done substr(line, 1, RSTART + 1) place(path) ")"
        line = substr(line, RSTART + RLENGTH)
    }
    print done line
}
