// Prints the strings that a module of translations exports, as JSON.
import { pathToFileURL } from "node:url";
const strings = (v, depth) => {
  if (typeof v === "string") return v;
  if (v && typeof v === "object" && depth < 12) {
    return Object.fromEntries(Object.entries(v).map(([k, x]) => [k, strings(x, depth + 1)]).filter(([, x]) => x !== undefined));
  }
};
const module = await import(pathToFileURL(process.argv[2]));
const all = Object.values(module).map((v) => strings(v, 0)).filter((v) => v && typeof v === "object");
process.stdout.write(JSON.stringify(all[0] ?? {}));
