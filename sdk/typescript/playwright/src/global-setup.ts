/**
 * A server for all tests of a run: `globalSetup: "@mailkin/playwright/global-setup"`, or call it in yours.
 *
 * It is the program `mailkin` in capture mode, on free ports, or where MAILKIN_HTTP_ADDR and MAILKIN_SMTP_ADDR say,
 * such as for an application that Playwright starts before.
 */

import { Server } from "@mailkin/client/server";

/** The variable in which workers find the server. */
export const SERVER = "MAILKIN_TEST_SERVER";

export default async function globalSetup(): Promise<() => Promise<void>> {
  const server = await Server.start({
    httpAddr: process.env["MAILKIN_HTTP_ADDR"] || undefined,
    smtpAddr: process.env["MAILKIN_SMTP_ADDR"] || undefined,
  });
  const { url, smtp, token, webhookSecret } = server;
  process.env[SERVER] = JSON.stringify({ url, smtp, token, webhookSecret });
  return () => server.stop();
}
