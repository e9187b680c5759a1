import { createServer } from "vite";
import { expect, onTestFinished, test } from "vitest";

test("in development, an edit of a route file replaces its exports without a reload", async () => {
  const vite = await createServer({
    root: `${import.meta.dirname}/..`,
    ...{ appType: "custom", logLevel: "silent" },
    server: { middlewareMode: true, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true, include: [] },
  });
  onTestFinished(() => vite.close());
  const route = await vite.environments.client.transformRequest("/app/home/home-page.tsx");
  expect(route?.code).toMatch(/Update\(currentExports, nextExports, \["structuredData"/);
});
