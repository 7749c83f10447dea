/// The script of pages with graphs: a click on a state marks a shortest way to it from the start, and buttons zoom.
/// Without scripts, a state links to its row in the tables.
package struct GraphScript {
    package static let part = Page.Part(text: text, hash: "0TdLJ7nTUOLcs7jrAyVzm6Xadbd6UHg8PexxdYQmRiY=")

    static let text = """
        for (const graph of document.querySelectorAll("svg.graph")) {
          const edges = [...graph.querySelectorAll("a[data-way]")].map(mark => {
            const [from, to] = mark.dataset.way.split(" ").map(Number);
            return { mark, from, to, text: mark.querySelector("title").textContent };
          });
          const nodes = [...graph.querySelectorAll("a.node")];
          // For each state, the edge by which it is reached first; the map grows while it is read.
          const reached = new Map([[0, null]]);
          for (const [node] of reached) {
            for (const edge of edges) if (edge.from === node && !reached.has(edge.to)) reached.set(edge.to, edge);
          }
          const make = (name, text, parent) => {
            const element = document.createElement(name);
            element.textContent = text;
            parent.append(element);
            return element;
          };
          const [box, bar, note] = [graph.parentElement, document.createElement("p"), document.createElement("div")];
          bar.className = "bar";
          note.setAttribute("aria-live", "polite");
          box.before(bar);
          box.after(note);

          const size = [graph.width.baseVal.value, graph.height.baseVal.value];
          let zoom = 1;
          const show = value => {
            zoom = Math.min(4, Math.max(0.1, value));
            ["width", "height"].forEach((name, index) => graph.setAttribute(name, Math.round(size[index] * zoom)));
          };
          const fit = () => show(Math.min(1, box.clientWidth / size[0]));
          for (const [text, label, act] of [
            ["−", "smaller", () => show(zoom / 1.3)], ["+", "larger", () => show(zoom * 1.3)],
            ["fit", "as wide as the page", fit], ["1:1", "in full size", () => show(1)],
          ]) {
            const button = make("button", text, bar);
            button.setAttribute("aria-label", label);
            button.addEventListener("click", act);
          }
          make("span", "Choose a state to mark a shortest way to it.", bar).className = "dim";
          box.addEventListener("wheel", event => {
            if (!event.ctrlKey) return;
            event.preventDefault();
            show(zoom * (event.deltaY < 0 ? 1.1 : 1 / 1.1));
          }, { passive: false });

          const mark = (way, last) => {
            graph.classList.toggle("marking", last !== null);
            for (const edge of edges) edge.mark.classList.toggle("marked", way.includes(edge));
            nodes.forEach((node, number) => {
              node.classList.toggle("marked", number === last || way.some(edge => edge.from === number));
            });
            note.replaceChildren();
            if (last === null) return;
            make("a", nodes[last].title, make("p", way.length === 1 ? "1 step to " : `${way.length} steps to `, note))
              .href = nodes[last].getAttribute("href");
            const list = make("ol", "", note);
            for (const edge of way) make("li", edge.text, list);
          };
          nodes.forEach((node, number) => node.addEventListener("click", event => {
            if (event.ctrlKey || event.metaKey || event.shiftKey) return;
            event.preventDefault();
            const way = [];
            for (let edge = reached.get(number); edge; edge = reached.get(edge.from)) way.unshift(edge);
            mark(way, number);
          }));
          graph.addEventListener("click", event => { if (event.target === graph) mark([], null); });
          box.addEventListener("keydown", event => { if (event.key === "Escape") mark([], null); });
          fit();
        }
        """
}
