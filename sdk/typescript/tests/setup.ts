/** One server for all tests. */

import type { TestProject } from "vitest/node";

import { Server } from "@mailkin/client/server";

export default async function ({ provide }: TestProject): Promise<() => Promise<void>> {
  const server = await Server.start();
  const { url, smtp, token, webhookSecret } = server;
  provide("server", { url, smtp, token, webhookSecret });
  return () => server.stop();
}
