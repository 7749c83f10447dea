extension ReportScript {
    /// Selecting a turn, the keys, and the first picture.
    static let controls = #"""
        function select(row) {
          if (!(row >= 0 && row < count)) return;
          current = row;
          const position = Math.max(0, place(shown, row)), box = $("list"), top = position * height;
          $("slider").value = position;
          $("slider").setAttribute("aria-valuetext", `turn ${numbers[row]}, ${turns[row].name}`);
          if (top < box.scrollTop) box.scrollTop = top;
          if (top + 2 * height > box.scrollTop + box.clientHeight) box.scrollTop = top + 2 * height - box.clientHeight;
          drawList();
          drawLanes();
          drawDetails();
        }

        const step = distance =>
          select(shown[Math.max(0, Math.min(shown.length - 1, place(shown, current) + distance))]);
        const keys = {
          ArrowRight: () => step(1), ArrowDown: () => step(1), ArrowLeft: () => step(-1), ArrowUp: () => step(-1),
          PageDown: () => step(20), PageUp: () => step(-20), Home: () => step(-count), End: () => step(count),
          n: () => nextIn(hits ?? shown, 1), p: () => nextIn(hits ?? shown, -1),
          c: () => nextIn(watched?.touched ?? [], 1), C: () => nextIn(watched?.touched ?? [], -1),
          w: () => {
            for (let at = document.activeElement; at; at = at.parentElement) if (at.watch) return at.watch();
          },
          "/": () => $("search").focus(), "+": () => zoomBy(0.5), "-": () => zoomBy(2),
          "?": () => { $("help").open = !$("help").open; },
        };

        document.onkeydown = event => {
          const isTyping = event.target.matches("[type=search], select")
            || event.target.matches("input") && event.key.length > 1;
          if (isTyping || event.ctrlKey || event.metaKey || event.altKey || !Object.hasOwn(keys, event.key)) return;
          event.preventDefault();
          keys[event.key]();
        };

        function fillSelect(id, options) {
          $(id).append(...options.map(([value, text]) => make("option", text, { value })));
          $(id).onchange = filter;
        }

        for (const id of ["kind", "outcome", "name"]) {
          const values = [...new Set(turns.map(turn => turn[id]))].filter(text => text).sort();
          fillSelect(id, values.slice(0, 1000).map(text => [text, text]));
        }
        fillSelect("system", Object.entries(index.systems));
        fillSelect("only", []);
        let typing;
        $("search").oninput = () => { clearTimeout(typing); typing = setTimeout(search, 150); };
        $("scope").onchange = search;
        $("slider").oninput = () => select(shown[+$("slider").value]);
        $("list").onscroll = drawList;
        $("unwatch").onclick = unwatch;
        for (const button of document.querySelectorAll("button[data-key]")) {
          button.onclick = () => keys[button.dataset.key]();
        }
        onhashchange = () => {
          const number = /^#turn(\d+)$/.exec(location.hash);
          if (!number) return;
          select(place(numbers, +number[1]));
          $("lanes").scrollIntoView();
        };
        // A link to the turn of the address is no change of it.
        document.onclick = event => { if (event.target.hash === location.hash) onhashchange(); };
        onresize = () => { drawList(); drawLanes(); };
        matchMedia("(prefers-color-scheme: dark)").onchange = drawLanes;
        arrange();
        if (count) { filter(); onhashchange(); }
        """#
}
