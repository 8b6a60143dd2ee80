// Drives a real Chromium over its debugging pipe: messages are JSON, each ended by a NUL, on descriptors 3 and 4.
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const kProgram = process.env.CHROMIUM ?? 'chromium';
const kPatience = 30_000;

// When what the page draws at first is on the screen: window.paintedAt, in ms since the navigation began.
const kStopwatch = `addEventListener('load', () => requestAnimationFrame(() => requestAnimationFrame(() => {
  window.paintedAt = performance.now();
})))`;

class Connection {
  constructor(process) {
    this.process = process;
    this.next = 1;
    this.waiting = new Map();
    this.listeners = new Map();
    let rest = '';
    process.stdio[4].setEncoding('utf8');
    process.stdio[4].on('data', (text) => {
      const messages = (rest + text).split('\0');
      rest = messages.pop();
      messages.forEach((message) => this.receive(JSON.parse(message)));
    });
    process.on('exit', () => this.waiting.forEach(({ reject }) => reject(new Error('chromium has ended'))));
  }

  receive(message) {
    const call = this.waiting.get(message.id);
    if (!call) {
      this.listeners.get(message.sessionId)?.(message.method, message.params);
      return;
    }
    this.waiting.delete(message.id);
    message.error ? call.reject(new Error(JSON.stringify(message.error))) : call.resolve(message.result);
  }

  send(method, params = {}, sessionId = undefined) {
    const id = this.next++;
    this.process.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
  }
}

/** One tab with one page. Keeps what was said on the console and which addresses were asked for. */
class Page {
  constructor(connection, session, target) {
    Object.assign(this, { connection, session, target, console: [], requests: [] });
    connection.listeners.set(session, (method, params) => this.hear(method, params));
  }

  hear(method, params) {
    if (method === 'Runtime.consoleAPICalled') {
      this.console.push(params.args.map((arg) => arg.value ?? arg.description).join(' '));
    } else if (method === 'Runtime.exceptionThrown') {
      this.console.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
    } else if (method === 'Log.entryAdded') {
      this.console.push(`${params.entry.level}: ${params.entry.text}`);
    } else if (method === 'Network.requestWillBeSent') {
      this.requests.push(params.request.url);
    } else if (method === 'Page.loadEventFired') {
      this.loaded?.();
    }
  }

  send(method, params) {
    return this.connection.send(method, params, this.session);
  }

  /** Returns the value of an expression in the page. */
  async evaluate(expression) {
    const { result, exceptionDetails } = await this.send('Runtime.evaluate',
        { expression, returnByValue: true, awaitPromise: true });
    if (exceptionDetails) {
      throw new Error(`${expression}: ${exceptionDetails.exception?.description ?? exceptionDetails.text}`);
    }
    return result.value;
  }

  /** Waits until the expression is true, also while the page is loaded again. */
  async until(expression) {
    const end = Date.now() + kPatience;
    const orFalse = (error) => {
      if (!/navigated/.test(error.message)) {
        throw error;
      }
      return false;
    };
    while (!(await this.evaluate(expression).catch(orFalse))) {
      if (Date.now() > end) {
        throw new Error(`waited in vain for ${expression}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** Lets the page draw: two frames of real time. d3's transitions stand still in virtual time. */
  async settle() {
    await this.evaluate('new Promise((done) => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(done)), 30))');
  }

  async mouse(type, x, y, more = {}) {
    await this.send('Input.dispatchMouseEvent', { type, x, y, ...more });
  }

  async clickAt(x, y) {
    const button = { button: 'left', clickCount: 1 };
    await this.mouse('mouseMoved', x, y);
    await this.mouse('mousePressed', x, y, button);
    await this.mouse('mouseReleased', x, y, button);
    await this.settle();
  }

  /** Returns the middle of the element that an expression names. */
  async middleOf(expression) {
    return this.evaluate(`(() => { const r = (${expression}).getBoundingClientRect();
        return { x: r.x + r.width / 2, y: r.y + r.height / 2 }; })()`);
  }

  async click(selector) {
    const { x, y } = await this.middleOf(`document.querySelector(${JSON.stringify(selector)})`);
    await this.clickAt(x, y);
  }

  async press(key) {
    const text = key.length === 1 ? key : undefined;
    const windowsVirtualKeyCode = { Escape: 27, ArrowRight: 39, ArrowLeft: 37 }[key];
    await this.send('Input.dispatchKeyEvent', { type: 'keyDown', key, text, windowsVirtualKeyCode });
    await this.send('Input.dispatchKeyEvent', { type: 'keyUp', key, windowsVirtualKeyCode });
    await this.settle();
  }

  async type(text) {
    await this.send('Input.insertText', { text });
    await this.settle();
  }

  async prefer(scheme) {
    await this.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] });
    await this.settle();
  }

  async resize(width, height) {
    await this.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false });
    await this.settle();
  }

  async screenshot(path) {
    await this.settle();
    const { data } = await this.send('Page.captureScreenshot', { format: 'png' });
    await writeFile(path, Buffer.from(data, 'base64'));
  }

  close() {
    return this.connection.send('Target.closeTarget', { targetId: this.target });
  }
}

/** Starts Chromium: open(html) shows a text as a page of its own, close() ends it. */
export async function startBrowser() {
  const folder = await mkdtemp(join(tmpdir(), 'schedbench-page-'));
  // Root, as in containers, cannot have Chromium's sandbox.
  const sandbox = process.getuid() === 0 ? ['--no-sandbox'] : [];
  const chromium = spawn(kProgram, ['--headless=new', '--remote-debugging-pipe', '--disable-gpu', '--no-first-run',
    '--disable-dev-shm-usage', '--window-size=1280,800', `--user-data-dir=${join(folder, 'profile')}`, ...sandbox,
    'about:blank'], { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
  const connection = new Connection(chromium);
  let count = 0;

  return {
    async open(html, { width = 1280, height = 800 } = {}) {
      const path = join(folder, `${++count}.html`);
      await writeFile(path, html);
      const { targetId } = await connection.send('Target.createTarget', { url: 'about:blank' });
      const { sessionId } = await connection.send('Target.attachToTarget', { targetId, flatten: true });
      const page = new Page(connection, sessionId, targetId);
      page.url = pathToFileURL(path).href;
      for (const domain of ['Page', 'Runtime', 'Log', 'Network']) {
        await page.send(`${domain}.enable`);
      }
      await page.resize(width, height);
      await page.send('Page.addScriptToEvaluateOnNewDocument', { source: kStopwatch });
      const loaded = new Promise((resolve) => { page.loaded = resolve; });
      await page.send('Page.navigate', { url: page.url });
      await loaded;
      await page.settle();
      return page;
    },
    async close() {
      const ended = new Promise((resolve) => chromium.on('exit', resolve));
      await connection.send('Browser.close').catch(() => {});
      await ended;
      await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}
