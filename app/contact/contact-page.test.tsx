// @vitest-environment happy-dom
import { createRoot } from "react-dom/client";
import { createRoutesStub } from "react-router";
import { expect, onTestFinished, test, vi } from "vitest";
import { defaultSite } from "../../tests/default-site.ts";
import { minimumFillTime } from "../forms/use-form-submit.ts";

// Test files share modules, so another one may have loaded the client that is mocked here.
/** Also advances the mocked clock, as `expect.poll` does not. */
const patience = { timeout: 10_000 };

vi.resetModules();
vi.doMock("../supabase/browser-client.ts");
const { getVisitorClient, readPublicSettings } = await import("../supabase/browser-client.ts");
const { default: ContactPage } = await import("./contact-page.tsx");

test("from the press on, the button is disabled and says 'Sending...', and a double click sends one message", async () => {
  vi.mocked(readPublicSettings).mockReturnValue({
    ...{ supabaseUrl: null, anonKey: "key", turnstileSiteKey: null },
    ...{ hasSampleTestimonials: true, timeZone: "UTC" },
  });
  const invoke = vi.fn(async () => ({ data: null, error: null }));
  // Only this part of the client is used.
  vi.mocked(getVisitorClient).mockResolvedValue({ functions: { invoke } } as never);
  const root = createRoot(document.body);
  const Stub = createRoutesStub([{ id: "root", path: "/", Component: ContactPage }]);
  root.render(<Stub hydrationData={{ loaderData: { root: { site: defaultSite } } }} />);
  const button = await vi.waitFor(() => {
    const [found] = document.querySelectorAll<HTMLButtonElement>("button[type=submit]");
    if (!found) throw new Error("The form is not rendered yet");
    return found;
  }, patience);
  for (const [name, value] of [
    ["name", "Ada"],
    ["email", "ada@example.com"],
    ["message", "Could we talk next week?"],
  ]) {
    const field = document.querySelector<HTMLInputElement>(`[name=${name}]`);
    if (field) field.value = value ?? "";
  }
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  onTestFinished(() => void vi.useRealTimers());

  button.click();
  // Between two clicks, a browser runs what the first one has queued.
  await Promise.resolve();
  expect(button.disabled).toBe(true);
  expect(button.textContent).toBe("Sending...");
  button.click();

  await vi.advanceTimersByTimeAsync(minimumFillTime);
  await vi.waitFor(() => expect(button.textContent).toBe("Send Message"), patience);
  expect(invoke).toHaveBeenCalledTimes(1);
  root.unmount();
});
