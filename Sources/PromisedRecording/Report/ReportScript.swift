/// The script of a recording's page. It takes texts of the recording only as the content of elements.
struct ReportScript {
    static let text = data + list + lanes + details + controls

    /// The facts and states, read from the page's data.
    private static let data = #"""
        "use strict";
        const $ = id => document.getElementById(id);
        const index = JSON.parse($("index").textContent);
        const items = index.items.map(([kind, turn, system, name, detail, outcome, start, wait, end]) =>
          ({ kind, turn, system, name, detail, outcome, start, wait,
            isOpen: end < 0, end: end < 0 ? index.end : end }));
        const turns = items.filter(({ kind }) => ["start", "event", "write"].includes(kind));
        const spans = items.filter(({ kind }) => ["call", "effect", "work"].includes(kind));
        const count = turns.length, numbers = turns.map(({ turn }) => turn), starts = turns.map(({ start }) => start);
        const blocks = new Map();

        // The place in ascending numbers of the last one that is not higher than a value; -1 if all are.
        function place(numbers, value) {
          let low = 0, high = numbers.length;
          while (low < high) {
            const middle = (low + high) >> 1;
            if (numbers[middle] <= value) low = middle + 1; else high = middle;
          }
          return low - 1;
        }

        // The facts of a turn, and the states of all systems before and after it. Some of the blocks are kept.
        function turnAt(row) {
          const number = numbers[row], name = place(index.blocks, number);
          let block = blocks.get(name);
          if (!block) {
            block = readBlock(JSON.parse($("block" + name).textContent));
            blocks.set(name, block);
            if (blocks.size > 10) blocks.delete(blocks.keys().next().value);
          }
          return block.get(number) ?? { facts: [], before: {}, after: {} };
        }

        function readBlock({ states, facts }) {
          const block = new Map();
          for (const [number, kind, system, time, text, changes, how, value] of facts) {
            let turn = block.get(number);
            if (!turn) block.set(number, turn = { facts: [], before: states });
            turn.facts.push({ kind, system, time, text, changes });
            if (how === "*") states = value;
            if (how === "=") states = { ...states, [system]: value };
            if (how === "c") {
              const state = value.reduce((state, change) => changed(state, change), states[system].v);
              states = { ...states, [system]: { v: state } };
            }
            turn.after = states;
          }
          return block;
        }

        // A copy that shares all unchanged parts. No key of a recording reaches a prototype.
        function changed(value, change, depth = 0) {
          const [path, at, removed, inserted] = change;
          if (depth === path.length) {
            return change.length > 2 ? value.slice(0, at).concat(inserted, value.slice(at + removed)) : at;
          }
          const copy = Array.isArray(value) ? value.slice() : Object.assign(Object.create(null), value);
          const key = path[depth];
          if (depth === path.length - 1 && at === "from" && change.length === 3) {
            copy[key] = copy[removed];
            delete copy[removed];
          } else if (depth === path.length - 1 && change.length === 1) delete copy[key];
          else copy[key] = changed(copy[key], change, depth + 1);
          return copy;
        }

        function member(value, path) {
          for (const key of path) {
            if (value === null || typeof value !== "object" || !Object.hasOwn(value, key)) return undefined;
            value = value[key];
          }
          return value;
        }

        // As text; a number that may not be exact here is a marked text in the data.
        function textOf(value) {
          return JSON.stringify(value)?.replace(/(?<!\\)"\\u0001(?:#([\d.eE+-]+)"|\\u0001)/g,
            (_, number) => number ?? '"\\u0001') ?? "–";
        }

        const pathText = path => path.reduce((text, key) =>
          typeof key === "number" ? `${text}[${key}]` : text ? `${text}.${key}` : key, "") || "state";

        function timeText(time) {
          const units = [[1e9, "s"], [1e6, "ms"], [1e3, "µs"]];
          const [size, unit] = units.find(([size]) => Math.abs(time) >= size) ?? [1, "ns"];
          return `${+(time / size).toPrecision(3)} ${unit}`;
        }

        // Control characters, and those that change the direction of text, as their numbers.
        const visible = text => String(text).replace(
          /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
          character => `\\u{${character.charCodeAt(0).toString(16)}}`);

        function make(tag, text, attributes = {}) {
          const element = document.createElement(tag);
          element.textContent = visible(text);
          for (const name in attributes) element.setAttribute(name, attributes[name]);
          return element;
        }

        // Looks at each turn, in slices of 8 ms. A later scan of the same kind ends it.
        const scans = {};
        async function scan(kind, look, done) {
          const mine = scans[kind] = {};
          for (let row = 0; row < count;) {
            const end = performance.now() + 8;
            while (row < count && performance.now() < end) {
              look(row, turnAt(row));
              row += 1;
            }
            await new Promise(resolve => setTimeout(resolve));
            if (scans[kind] !== mine) return;
          }
          done();
        }


        """#
}
