/** What the tests share. */

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { inject } from "vitest";

import { Mailkin, type MailkinOptions } from "@mailkin/client";
import { type Addresses, ServerConnection } from "@mailkin/client/server";

declare module "vitest" {
  interface ProvidedContext {
    server: Addresses;
  }
}

/** The server that all tests share; each has mailboxes of its own. */
export const server = new ServerConnection(inject("server"));

export function code(n: number): string {
  return `Your verification code is ${n}.`;
}

/** A request that came to a scripted server, and its answer. */
export interface Asked {
  request: IncomingMessage;
  response: ServerResponse;
  body: Buffer;
  url: URL;
}

export type Step = (asked: Asked) => void | Promise<void>;

/** A server that answers with the steps, the last one again and again. */
export async function scripted(...steps: Step[]) {
  const asked: Asked[] = [];
  const http = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    try {
      for await (const piece of request) {
        pieces.push(piece as Buffer);
      }
    } catch {
      return; // it broke off
    }
    const one = { request, response, body: Buffer.concat(pieces), url: new URL(request.url!, "http://x.test") };
    asked.push(one);
    await steps[Math.min(asked.length, steps.length) - 1]!(one);
  });
  await new Promise<void>((done) => http.listen(0, "127.0.0.1", done));
  return {
    asked,
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    client(options: MailkinOptions = {}): Mailkin {
      return new Mailkin({ apiKey: "mk_test", baseUrl: this.url, ...options });
    },
    async [Symbol.asyncDispose](): Promise<void> {
      http.closeAllConnections();
      await new Promise((done) => http.close(done));
    },
  };
}

export function reply(status: number, body: string | object = "{}", headers: Record<string, string> = {}): Step {
  return ({ response }) => {
    response.writeHead(status, headers).end(typeof body === "string" ? body : JSON.stringify(body));
  };
}

/** Hang up without an answer. */
export const cut: Step = ({ request }) => {
  request.socket.destroy();
};

/** Hang up in the middle of the answer. */
export const halfway: Step = ({ response, request }) => {
  response.writeHead(200, { "Content-Length": "100" });
  response.write('{"sta', () => request.socket.destroy());
};
