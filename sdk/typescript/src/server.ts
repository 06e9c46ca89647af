/** A server of one's own, for tests: the binary in capture mode, on free ports. For Node and what is like it. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, openSync, closeSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { createInterface } from "node:readline";

import { ServerConnection } from "./connection.js";
import { MailkinError } from "./errors.js";

export { type Addresses, type MailOptions, ServerConnection } from "./connection.js";

const START = 30_000; // milliseconds
const END = 10_000;

export interface ServerOptions {
  /** The program `mailkin`; else the one that MAILKIN_BINARY names, or that is in the path. */
  binary?: string | undefined;
  /** Where it serves HTTP, host and port; else a free port. */
  httpAddr?: string | undefined;
  /** Where it takes mail, host and port; else a free port. */
  smtpAddr?: string | undefined;
  /** Variables of the environment that it gets besides. */
  settings?: Record<string, string> | undefined;
}

/** A Mailkin that takes mail for every address and sends none away. It and its data are gone after `stop()`. */
export class Server extends ServerConnection {
  readonly #binary: string;
  readonly #settings: Record<string, string>;
  readonly #folder: string;
  readonly #onExit = (): void => {
    this.#process?.kill("SIGKILL");
    rmSync(this.#folder, { recursive: true, force: true });
  };
  #process: ChildProcess | undefined;
  #http: string;
  #mail: string;

  private constructor(options: ServerOptions) {
    super({ url: "" });
    this.#binary = find(options.binary || process.env["MAILKIN_BINARY"] || "mailkin");
    this.#folder = mkdtempSync(join(tmpdir(), "mailkin-test-"));
    this.#settings = options.settings ?? {};
    this.#http = options.httpAddr ?? "127.0.0.1:0";
    this.#mail = options.smtpAddr ?? "127.0.0.1:0";
  }

  /** Start one. */
  static async start(options: ServerOptions = {}): Promise<Server> {
    const server = new Server(options);
    try {
      await server.start();
    } catch (error) {
      await server.stop();
      throw error;
    }
    return server;
  }

  /** Start it again after `kill()`, with the data and the addresses that it had. */
  async start(): Promise<void> {
    const own = Object.entries(process.env).filter(([name]) => !name.startsWith("MAILKIN_"));
    const env = {
      ...Object.fromEntries(own),
      MAILKIN_BOOTSTRAP_IP_LIMIT: "0",
      ...this.#settings,
      MAILKIN_HTTP_ADDR: this.#http,
      MAILKIN_SMTP_ADDR: this.#mail,
    };
    const log = openSync(join(this.#folder, "log"), "a");
    const arguments_ = ["capture", "--data-dir", join(this.#folder, "data")];
    this.#process = spawn(this.#binary, arguments_, { env, cwd: this.#folder, stdio: ["ignore", "pipe", log] });
    closeSync(log);
    process.once("exit", this.#onExit);
    await this.#readAddresses(this.#process);
    this.token = this.#kept("token");
    this.webhookSecret = this.#kept("webhook-secret");
  }

  async #readAddresses(child: ChildProcess): Promise<void> {
    const failed = new Promise<never>((_, reject) => child.once("error", reject));
    failed.catch(() => undefined); // the lines end, too
    const late = setTimeout(() => child.kill("SIGKILL"), START);
    let said = "";
    let up = false;
    for await (const line of createInterface({ input: child.stdout! })) {
      said += line + "\n";
      const [, http] = /^  HTTP API .*(http:\/\/\S+)$/.exec(line) ?? [];
      const [, mail] = /^  SMTP +([^, ]+)/.exec(line) ?? [];
      if (http !== undefined) {
        this.url = http;
        this.#http = http.slice("http://".length);
      }
      if (mail !== undefined) {
        this.smtp = this.#mail = mail;
      }
      if (line.startsWith("  Kept")) {
        up = true;
        break;
      }
    }
    clearTimeout(late);
    if (!up) {
      const reason = await Promise.race([failed, Promise.resolve()]).catch((error: unknown) => String(error));
      throw new MailkinError(`The server did not start: ${reason ?? ""}\n${said}${this.log()}`);
    }
    child.stdout!.resume(); // so that it never waits for a reader
    // Neither the program nor its output keeps this process from ending.
    child.unref();
    (child.stdout as unknown as { unref?: () => void }).unref?.();
  }

  #kept(name: string): string {
    return readFileSync(join(this.#folder, "data", name), "utf8").trim();
  }

  /** What it has logged: warnings and errors. */
  log(): string {
    return readFileSync(join(this.#folder, "log"), "utf8");
  }

  /** End it at once, as a crash does. `start()` brings it back. */
  async kill(): Promise<void> {
    await this.#end("SIGKILL");
  }

  /** End it and delete its data. */
  async stop(): Promise<void> {
    await this.#end("SIGTERM");
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #end(how: NodeJS.Signals): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    process.removeListener("exit", this.#onExit);
    if (child === undefined || child.pid === undefined || child.exitCode !== null || child.signalCode !== null) {
      return;
    }
    child.ref();
    const ended = once(child, "exit");
    child.kill(how);
    const late = setTimeout(() => child.kill("SIGKILL"), END);
    await ended;
    clearTimeout(late);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}

/** Where a program is: it is started elsewhere. */
function find(program: string): string {
  const folders = /[\\/]/.test(program) ? [""] : (process.env["PATH"] ?? "").split(delimiter);
  const names = process.platform === "win32" ? [program, program + ".exe"] : [program];
  for (const path of folders.flatMap((folder) => names.map((name) => resolve(folder, name)))) {
    if (existsSync(path)) {
      return path;
    }
  }
  const said = JSON.stringify(program);
  throw new MailkinError(`There is no program ${said}: put mailkin into the path, or set MAILKIN_BINARY.`);
}
