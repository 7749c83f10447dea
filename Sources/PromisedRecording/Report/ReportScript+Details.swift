extension ReportScript {
    /// The current turn: its facts, the difference, and the states as trees.
    static let details = #"""
        const opened = new Set(), roots = new Set();
        const most = 200;

        function listItems(id, items) {
          const rest = items.length - most;
          $(id).replaceChildren(...items.slice(0, most), ...rest > 0 ? [make("li", `… and ${rest} more`)] : []);
        }

        function drawDetails() {
          const turn = turnAt(current), { name, outcome, start, system } = turns[current];
          $("turn").textContent = visible(`Turn ${numbers[current]}: ${name}`);
          listItems("facts", turn.facts.filter(fact => fact.text).map(fact => {
            const item = make("li", "");
            item.append(make("span", timeText(fact.time - start), { class: "dim" }), " ", make("code", fact.text));
            if (fact.changes.length) item.append(make("pre", fact.changes.join("\n")));
            return item;
          }));
          const work = running(current);
          $("idle").hidden = work.length > 0;
          listItems("running", work.map(text => make("li", text)));
          const focused = document.activeElement?.id;
          const order = Object.keys(turn.after)
            .sort((one, other) => (other == system) - (one == system) || one - other);
          $("states").replaceChildren(...order.map(key => {
            const state = turn.after[key], box = make("div", "", { "data-system": key });
            box.append(make("h3", index.systems[key] ?? key));
            box.append(state.v !== undefined ? node("state", state.v, turn.before[key]?.v, key, [])
              : make("p", state.x ?? `unknown: ${state.u}`, { class: state.u ? "open" : "" }));
            return box;
          }));
          if (focused?.startsWith("watch")) $(focused)?.focus({ preventScroll: true });
          drawWatched();
          const changes = turn.facts.flatMap(fact => fact.changes);
          const said = changes.slice(0, 3).join(". ") || "No change.";
          $("said").textContent = `Turn ${numbers[current]}, ${name}, ${outcome}. ${said}`;
        }

        function drawWatched() {
          $("unwatch").hidden = $("change").hidden = watched === null;
          if (!watched) return $("watched").textContent = "Choose “watch” at a part of the state.";
          const text = watched.texts[place(watched.rows, current)] ?? "–";
          const changes = `changed by ${watched.touched.length} turns`;
          $("watched").textContent = visible(`${pathText(watched.path)} = ${text}, ${changes}`);
        }

        // A part of the state. Its own parts are made when it is opened; it stays open at other turns.
        function node(name, value, before, system, path) {
          const isParent = value !== null && typeof value === "object", key = JSON.stringify([system, path]);
          const box = make(isParent ? "details" : "div", ""), line = make(isParent ? "summary" : "span", "");
          const entries = isParent ? Object.keys(value) : [];
          const names = entries.slice(0, 3).join(", ") + (entries.length > 3 ? ", …" : "");
          const text = !isParent ? textOf(value) : Array.isArray(value) ? `[${entries.length}]` : `{${names}}`;
          line.append(make("span", `${name}: `, { class: "dim" }), make("code", text), " ");
          if (path.length && value !== before && textOf(value) !== textOf(before)) line.classList.add("changed");
          const button = make("button", "watch", { id: `watch${key}`, "aria-label": `watch ${pathText(path)}` });
          button.onclick = event => { event.preventDefault(); watch(system, path); };
          line.append(button);
          box.append(line);
          box.watch = () => watch(system, path);
          if (!isParent) return box;
          const fill = () => {
            const first = box.childElementCount - 1;
            for (const entry of entries.slice(first, first + most)) {
              const step = Array.isArray(value) ? +entry : entry;
              box.append(node(entry, value[entry], member(before, [entry]), system, [...path, step]));
            }
            if (box.childElementCount > entries.length) return;
            const more = make("button", `${entries.length - box.childElementCount + 1} more`);
            more.onclick = () => { more.remove(); fill(); };
            box.append(more);
          };
          box.ontoggle = () => {
            if (box.open) opened.add(key); else opened.delete(key);
            if (box.open && box.childElementCount === 1) fill();
          };
          if (path.length === 0 && !roots.has(key)) roots.add(key) && opened.add(key);
          box.open = opened.has(key);
          if (box.open) fill();
          return box;
        }


        """#
}
