/** What differs between Node, Bun, Deno and browsers. It imports nothing, so that bundlers for browsers are content. */

interface Process {
  env?: Record<string, string | undefined>;
  getBuiltinModule?: (name: string) => unknown;
}

interface Files {
  readFileSync(path: string, encoding: "utf8"): string;
  promises: {
    open(path: string, flags: "wx"): Promise<OpenFile>;
    rename(from: string, to: string): Promise<void>;
    rm(path: string, options: { force: true }): Promise<void>;
  };
}

interface OpenFile {
  write(bytes: Uint8Array, offset: number): Promise<{ bytesWritten: number }>;
  close(): Promise<void>;
}

interface Paths {
  dirname(path: string): string;
  join(...parts: string[]): string;
}

function process(): Process | undefined {
  return (globalThis as { process?: Process }).process;
}

/** A variable of the environment; undefined: there is none, or it may not be read. */
export function variable(name: string): string | undefined {
  try {
    return process()?.env?.[name] || undefined;
  } catch {
    return undefined; // Deno without the permission
  }
}

/** Node's module for files; undefined: there is no file system (or Node is older than 20.16). */
export function files(): Files | undefined {
  return process()?.getBuiltinModule?.("node:fs") as Files | undefined;
}

/** Node's module for paths, which is there where that for files is. */
export function paths(): Paths | undefined {
  return process()?.getBuiltinModule?.("node:path") as Paths | undefined;
}

/** Whether this is a program and no page: a page may not say who it is. */
export function isProgram(): boolean {
  return typeof process()?.getBuiltinModule === "function" || "Deno" in globalThis;
}
