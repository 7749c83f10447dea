// Chromium without a window, driven by its DevTools protocol over a pipe: no package, no port.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

export async function open(program) {
  const profile = mkdtempSync(join(tmpdir(), "report-page-"));
  const process = spawn(program, ["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--no-first-run",
    `--user-data-dir=${profile}`, "about:blank"], { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
  const waiting = new Map(), events = [];
  let number = 0, rest = "";
  process.stdio[4].setEncoding("utf8").on("data", text => {
    const messages = (rest + text).split("\0");
    rest = messages.pop();
    for (const message of messages.map(JSON.parse)) {
      if (message.id) waiting.get(message.id)(message); else events.push(message);
    }
  });
  const ended = new Promise((_, reject) => process.on("exit", code => reject(new Error(`the browser ended with ${code}`))));
  ended.catch(() => {});
  const send = async (method, params = {}, sessionId) => {
    const id = ++number;
    const answer = new Promise(resolve => waiting.set(id, resolve));
    process.stdio[3].write(JSON.stringify({ id, method, params, sessionId }) + "\0");
    const { error, result } = await Promise.race([answer, ended]);
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  };
  const { targetId } = await send("Target.createTarget", { url: "about:blank" });
  const { sessionId } = await send("Target.attachToTarget", { targetId, flatten: true });
  const call = (method, params) => send(method, params, sessionId);
  for (const domain of ["Page", "Runtime", "Log", "Network"]) await call(`${domain}.enable`);
  return new Browser(call, events, async () => {
    await send("Browser.close");
    await new Promise(resolve => process.on("exit", resolve));
    rmSync(profile, { recursive: true, force: true });
  });
}

class Browser {
  constructor(call, events, close) { Object.assign(this, { call, events, close }); }

  // Opens a file, and waits until it is shown.
  async load(file) {
    const { href } = pathToFileURL(file);
    await this.call("Page.navigate", { url: href });
    await this.until(href => document.readyState === "complete" && location.href === href, href);
  }

  // The result of a function in the page, which may return a promise. It refers to nothing but its arguments.
  async run(body, ...args) {
    const expression = `(${body})(${args.map(arg => JSON.stringify(arg)).join(", ")})`;
    const { result, exceptionDetails } = await this.call("Runtime.evaluate",
      { expression, awaitPromise: true, returnByValue: true });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  async until(body, ...args) {
    for (const end = Date.now() + 60_000; !await this.run(body, ...args);) {
      if (Date.now() > end) throw new Error(`did not happen in a minute: ${body}`);
      await new Promise(resolve => setTimeout(resolve, 20));
    }
  }

  async press(key) {
    for (const type of ["keyDown", "keyUp"]) {
      await this.call("Input.dispatchKeyEvent", { type, key, text: key.length === 1 && type === "keyDown" ? key : undefined });
    }
  }

  // The errors and warnings of the console, and the requests, other than for the file itself.
  get complaints() {
    return this.events.flatMap(({ method, params }) => {
      if (method === "Runtime.exceptionThrown") return [params.exceptionDetails.exception?.description ?? "exception"];
      if (method === "Log.entryAdded" && params.entry.level !== "verbose") return [params.entry.text];
      if (method === "Runtime.consoleAPICalled") return [`console.${params.type}`];
      if (method === "Network.requestWillBeSent" && !/^(file|about):/.test(params.request.url)) return [params.request.url];
      return [];
    });
  }

  async screenshot(file, { width, height, dark }) {
    await this.call("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: false });
    await this.call("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }] });
    await this.run(() => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    const { data } = await this.call("Page.captureScreenshot", { captureBeyondViewport: true });
    writeFileSync(file, Buffer.from(data, "base64"));
  }
}
