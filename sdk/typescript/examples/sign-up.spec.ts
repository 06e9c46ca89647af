/**
 * Sign up somewhere in a browser, with a mailbox of one's own: fill in the form, wait for the code, enter it.
 *
 *     SHOP_URL=https://shop.example npx playwright test sign-up.spec.ts
 */

import { expect, test } from "@mailkin/playwright";

test("sign up with a code", async ({ page, mailbox }) => {
  await page.goto(process.env["SHOP_URL"]!);
  await page.getByLabel("E-mail").fill(mailbox.address);
  await page.getByRole("button", { name: "Sign up" }).click();
  await page.getByLabel("Code").fill(await mailbox.code());
  await page.getByRole("button", { name: "Confirm" }).click();
  await expect(page.getByText("Welcome")).toBeVisible();
});
