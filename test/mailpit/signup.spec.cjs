// A person signs up at a small page, which sends a code by SMTP; the test reads it as tests that use Mailpit do. Each
// address asks for a code twice: the first is refused then.
const { test, expect } = require("@playwright/test");
const { MailpitClient } = require("mailpit-api");

const mailpit = new MailpitClient(process.env.URL);

for (let n = 0; n < 8; n++) {
  test(`sign up ${n}`, async ({ page }) => {
    const address = `person-${n}-x@shop.test`;
    for (let round = 0; round < 2; round++) {
      await page.goto(process.env.PAGE);
      await page.getByLabel("Address").fill(address);
      await page.getByRole("button", { name: "Sign up" }).click();
      await expect(page.getByText("We have sent you a code.")).toBeVisible();
      const message = await mailpit.waitForMessage({ query: `to:"${address}"` }, { timeout: 60000, interval: 100 });
      const [code] = message.Text.match(/\d{6}/);
      await page.getByLabel("Code").fill(code);
      await page.getByRole("button", { name: "Confirm" }).click();
      await expect(page.getByText(`Welcome, ${address}!`)).toBeVisible();
    }
    const all = await mailpit.searchMessages({ query: `to:"${address}"` });
    expect(all.messages_count).toBe(2);
  });
}
