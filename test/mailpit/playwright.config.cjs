// Eight browsers sign up at once.
module.exports = {
  testDir: __dirname,
  testMatch: "signup.spec.cjs",
  fullyParallel: true,
  workers: 8,
  retries: 0,
  timeout: 120000,
  expect: { timeout: 60000 },
  reporter: "line",
  outputDir: process.env.OUTPUT,
  use: { launchOptions: { executablePath: process.env.CHROMIUM, args: ["--no-sandbox", "--disable-gpu"] } },
};
