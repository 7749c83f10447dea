// What the page of a recording does in a browser. See run.

import assert from "node:assert/strict";
import { open } from "./browser.mjs";

const [program, folder] = process.argv.slice(2);
const browser = await open(program);
const text = id => browser.run(id => document.getElementById(id).textContent, id);
const current = async () => +/\d+/.exec(await text("turn"))[0];
const choose = (id, value) => browser.run((id, value) => {
  const element = document.getElementById(id);
  element.value = value;
  element.dispatchEvent(new Event(element.matches("input") ? "input" : "change"));
}, id, value);
async function search(text, scope = "") {
  await browser.run(scope => { hits = null; document.getElementById("scope").value = scope; }, scope);
  await choose("search", text);
  await browser.until(() => hits !== null);
}
const rows = () => browser.run(() => +document.getElementById("list").getAttribute("aria-rowcount"));

async function check(name, body) {
  await body();
  console.log(`passed: ${name}`);
}

await browser.load(`${folder}/small.html`);

await check("texts of the recording stay texts", async () => {
  assert.equal(await browser.run(() => window.broken), undefined);
  assert.equal(await browser.run(() => document.querySelectorAll("img").length), 0);
  assert.match(await browser.run(() => document.title), /^<\/script>/);
});

await check("keys", async () => {
  const last = await rows() - 1;
  for (const [key, turn] of [["ArrowRight", 1], ["ArrowRight", 2], ["ArrowLeft", 1], ["PageDown", 21], ["End", last], ["Home", 0]]) {
    await browser.press(key);
    assert.equal(await current(), turn, key);
  }
  await browser.press("?");
  assert.equal(await browser.run(() => document.getElementById("help").open), true);
});

await check("slider", async () => {
  await choose("slider", "11");
  assert.equal(await current(), 11);
  const spoken = await browser.run(() => document.getElementById("slider").getAttribute("aria-valuetext"));
  assert.equal(spoken, "turn 11, .add");
});

await check("the state and the difference of a turn", async () => {
  const lines = await browser.run(() => [...document.querySelectorAll("#facts pre")].map(element => element.textContent));
  assert.deepEqual(lines, ["lines[1]: + {3 members}"]);
  const state = await browser.run(() => turnAt(current).after[1].v);
  assert.deepEqual(state.lines.map(line => line.id), [0, 1]);
  const tree = await browser.run(() => document.querySelector("#states").textContent);
  assert.match(tree, /9007199254740993/);
  assert.match(tree, /__proto__: "a key"/);
  const changed = await browser.run(() =>
    [...document.querySelectorAll("#states .changed")].map(element => element.textContent.split(":")[0]));
  assert.deepEqual(changed, ["lines"]);
  await choose("slider", "14");
  assert.deepEqual(await browser.run(() => [...document.querySelectorAll("#facts pre")].map(element => element.textContent)), [
    'status: {"shown":{"name":"tea 1"}} → {"loading":{"_0":"milk 1"}}', 'status: {"loading":{"_0":"milk 1"}} → {"idle":{}}',
  ]);
});

await check("every state is that of its turn, whichever turn was shown before", async () => {
  const states = await browser.run(() => {
    const all = () => Array.from({ length: count }, (_, row) => JSON.stringify(turnAt(row).after));
    const forwards = all();
    blocks.clear();
    const backwards = forwards.map((_, row) => JSON.stringify(turnAt(count - 1 - row).after)).reverse();
    return [forwards, backwards];
  });
  assert.deepEqual(states[0], states[1]);
  const steps = await browser.run(() => Array.from({ length: count }, (_, row) => turnAt(row).after[1]?.v?.step));
  assert.deepEqual(steps.slice(8, 11), [0, 1, 2]);
});

await check("search in events, calls and changes, and in states", async () => {
  await search("MILK 7");
  assert.equal(await text("hits"), "2 found");
  assert.equal(await current(), 73);
  await choose("only", "hits");
  assert.equal(await rows(), 2);
  await choose("only", "");
  await search("tea 4");
  const hits = await browser.run(() => hits.map(row => numbers[row]));
  assert.deepEqual(hits, [41, 42, 43, 44]);
  await browser.press("Home");
  await browser.run(() => document.activeElement.blur());
  for (const turn of [41, 42, 43]) {
    await browser.press("n");
    assert.equal(await current(), turn);
  }
  await browser.press("p");
  assert.equal(await current(), 42);
  await search("tea 4", "states");
  const states = await browser.run(() => hits.map(row => numbers[row]));
  assert.deepEqual([states.length, states[0], states.at(-1)], [40, 41, 80]);
  await choose("search", "");
  await browser.until(() => hits === null);
});

await check("watching a part, and the turns that touched it", async () => {
  await browser.run(() => [...document.querySelectorAll("#states [aria-label='watch step']")][0].click());
  await browser.until(() => watched !== null);
  await choose("only", "watched");
  const touched = await browser.run(() => shown.map(row => numbers[row]));
  assert.deepEqual(touched.slice(0, 4), [8, 9, 10, 18]);
  await browser.press("Home");
  await browser.run(() => document.querySelector("#states [aria-label='watch step']").focus());
  await browser.press("c");
  assert.equal(await current(), 9);
  assert.equal(await browser.run(() => document.activeElement.ariaLabel), "watch step");
  await browser.press("w");
  await browser.until(() => document.getElementById("watched").textContent.includes("changed by"));
  assert.match(await text("watched"), /^step = 1, changed by \d+ turns$/);
  await browser.run(() => document.getElementById("unwatch").click());
  assert.equal(await browser.run(() => watched), null);
});

await check("filters", async () => {
  await choose("kind", "write");
  assert.equal(await rows(), 30);
  await choose("kind", "");
  await choose("outcome", "failed");
  assert.equal(await rows(), 30);
  await choose("outcome", "");
  await choose("system", "3");
  assert.equal(await rows(), 30);
  await choose("system", "");
  await choose("name", ".nothing");
  assert.equal(await rows(), 30);
  await choose("name", "");
  assert.equal(await rows(), await browser.run(() => count));
});

await check("the timeline selects a turn, and links do", async () => {
  await browser.run(() => { location.hash = "#turn33"; });
  await browser.until(() => current > 0 && numbers[current] === 33);
  await browser.press("+");
  assert.equal(await browser.run(() => zoom), 10);
  await browser.press("Home");
  await browser.run(() => document.querySelector("a[href='#turn33']").click());
  assert.equal(await current(), 33);
  await browser.run(() => {
    const { left, width } = canvas.getBoundingClientRect();
    canvas.onclick({ clientX: left + width });
  });
  assert.ok(await current() > 33);
  const colors = await browser.run(() =>
    new Set(canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data).size);
  assert.ok(colors > 10);
});

await check("damaged lines are named, and states after them are unknown", async () => {
  assert.match(await browser.run(() => document.body.textContent), /Lines that cannot be read: 2/);
  await browser.press("End");
  assert.match(await text("states"), /unknown: /);
  assert.match(await text("running"), /find "?late/);
});

await check("roles and names for a screen reader", async () => {
  const unnamed = await browser.run(() => [...document.querySelectorAll("button, input, select, canvas, [role=grid]")]
    .filter(element => !(element.matches("button") && element.textContent.trim()))
    .filter(element => !element.ariaLabel && !element.labels?.length)
    .map(element => element.outerHTML));
  assert.deepEqual(unnamed, []);
  assert.match(await text("said"), /^Turn \d+, /);
  assert.ok(await browser.run(() =>
    document.getElementById(document.getElementById("list").getAttribute("aria-activedescendant"))));
});

for (const dark of [false, true]) {
  for (const width of [420, 1400]) {
    await browser.run(() => select(12));
    await browser.screenshot(`${folder}/${dark ? "dark" : "light"}-${width}.png`, { width, height: 1000, dark });
  }
}

await check("a graph of 60 states: zoom, and a shortest way to a state that is chosen", async () => {
  await browser.load(`${folder}/graph.html`);
  const [states, whole] = await browser.run(() =>
    [document.querySelectorAll("a.node").length, document.querySelector("svg.graph").viewBox.baseVal.width]);
  assert.equal(states, 60);
  const width = () => browser.run(() => document.querySelector("svg.graph").width.baseVal.value);
  const push = name => browser.run(name => document.querySelector(`button[aria-label="${name}"]`).click(), name);
  const fitting = await width();
  assert.ok(fitting < whole, "it is shown as a whole at first");
  await push("larger");
  assert.ok(await width() > fitting);
  await push("in full size");
  assert.equal(await width(), whole);
  await push("as wide as the page");
  assert.equal(await width(), fitting);
  const way = await browser.run(() => {
    const last = document.querySelectorAll("a.node")[59];
    last.click();
    return {
      steps: [...document.querySelectorAll("[aria-live] li")].map(step => step.textContent),
      lines: document.querySelectorAll("a.edge.marked").length, states: document.querySelectorAll("a.node.marked").length,
      place: location.hash, row: document.querySelector("[aria-live] a").getAttribute("href"), name: last.title,
    };
  });
  assert.equal(way.steps.length, way.lines);
  assert.equal(way.states, way.lines + 1);
  assert.ok(way.steps[0].startsWith("0 → ") && way.steps.at(-1).includes(`→ ${way.name}`), way.steps.join());
  assert.deepEqual([way.place, way.row], ["", "#s59"]);
  for (const dark of [false, true]) {
    for (const width of [420, 1400]) {
      await browser.screenshot(`${folder}/graph-${dark ? "dark" : "light"}-${width}.png`, { width, height: 1000, dark });
    }
  }
  await browser.run(() => document.querySelector("svg.graph").dispatchEvent(new MouseEvent("click", { bubbles: true })));
  assert.equal(await browser.run(() => document.querySelectorAll(".marked, .marking").length), 0);
});

await check("50,000 turns: the first picture in 2 s, a step in 50 ms", async () => {
  const began = Date.now();
  await browser.load(`${folder}/large.html`);
  await browser.run(() => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  const first = Date.now() - began;
  assert.equal(await rows(), 50_000);
  const steps = await browser.run(async () => {
    const times = [];
    for (let step = 0; step < 60; step++) {
      const target = step * 797 % count;
      const began = performance.now();
      select(target);
      document.body.getBoundingClientRect();
      times.push(performance.now() - began);
      await new Promise(resolve => requestAnimationFrame(resolve));
    }
    return times.sort((one, other) => one - other);
  });
  await browser.run(() => zoomBy(100_000));
  const all = await browser.run(() => Math.min(...[1, 2, 3].map(part => {
    const began = performance.now();
    select(part * 12_000);
    return performance.now() - began;
  })));
  console.log(`  first picture ${first} ms; a step ${steps[30].toFixed(1)} ms, at most ${steps.at(-1).toFixed(1)} ms; `
    + `${all.toFixed(1)} ms with all turns in the timeline`);
  assert.ok(first < 2000 && steps[30] < 50 && all < 50);
  const searched = Date.now();
  await search("tea 4999");
  console.log(`  a search in all turns ${Date.now() - searched} ms`);
});

await check("nothing is reported in the console, and nothing is requested", async () => {
  assert.deepEqual(browser.complaints, []);
});

await browser.close();
