// @vitest-environment happy-dom
import { createRoot } from "react-dom/client";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";

const unsubscribe = vi.fn();
const subscribeToChanges = vi.fn((_tables: string[], refetch: () => Promise<void>) => {
  change = refetch;
  return unsubscribe;
});
/** Notifies of a change of the table. */
let change: () => Promise<void>;
// Test files share modules, so another one may have loaded the modules that are mocked here.
vi.resetModules();
vi.doMock("../supabase/live.ts", () => ({ subscribeToChanges }));
vi.doMock("../supabase/browser-client.ts", () => ({
  mayHaveSession: () => true,
  getBrowserClient: async () => ({}),
}));
const { replaceValue, useLiveQuery } = await import("./live-query.ts");

afterAll(() => {
  vi.doUnmock("../supabase/live.ts");
  vi.doUnmock("../supabase/browser-client.ts");
});

type Read = () => Promise<string>;

function Shown({ name, read }: { name: string; read: Read }) {
  const { value, isPrevious, failures } = useLiveQuery({ key: [name], read, tables: ["people"] });
  return (
    <p>{`${value}${isPrevious ? " before" : ""}${failures ? `, failed ${failures}` : ""} `}</p>
  );
}

function show() {
  const body = document.createElement("div");
  const root = createRoot(body);
  onTestFinished(() => root.unmount());
  return { root, text: () => body.textContent.trim() };
}

test("components that show one value share a read and a subscription", async () => {
  const read = vi.fn<Read>().mockResolvedValueOnce("1").mockResolvedValueOnce("2");
  const { root, text } = show();
  const render = (keys: number[]) =>
    root.render(keys.map((key) => <Shown key={key} name="shared" read={read} />));
  render([1, 2]);
  await expect.poll(text).toBe("1 1");
  expect(subscribeToChanges).toHaveBeenCalledExactlyOnceWith(["people"], change);
  await change();
  await expect.poll(text).toBe("2 2");
  expect(read).toHaveBeenCalledTimes(2);
  render([2]);
  await expect.poll(text).toBe("2");
  expect(unsubscribe).not.toHaveBeenCalled();
  render([]);
  await expect.poll(text).toBe("");
  expect(unsubscribe).toHaveBeenCalledOnce();
});

test("a failure is shown and read again; once there is a value, it stays", async () => {
  vi.spyOn(console, "error").mockReturnValue();
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const away = new Error("The database is away.");
  const read = vi.fn<Read>().mockRejectedValue(away);
  const { root, text } = show();
  root.render(<Shown name="failing" read={read} />);
  await expect.poll(text).toBe("undefined, failed 1");
  expect(console.error).toHaveBeenCalledWith("Loading failing failed", away);
  vi.advanceTimersByTime(10_000);
  await expect.poll(text).toBe("undefined, failed 2");
  read.mockResolvedValueOnce("1");
  vi.advanceTimersByTime(10_000);
  await expect.poll(text).toBe("1");
  await change();
  expect(read).toHaveBeenCalledTimes(4);
  expect(text()).toBe("1");
});

test("a value of another key shows the one before until it is read, but not after a failure", async () => {
  vi.spyOn(console, "error").mockReturnValue();
  const next = Promise.withResolvers<string>();
  const { root, text } = show();
  root.render(<Shown name="first page" read={async () => "1"} />);
  await expect.poll(text).toBe("1");
  root.render(<Shown name="second page" read={() => next.promise} />);
  await expect.poll(text).toBe("1 before");
  next.reject(new Error("The database is away."));
  await expect.poll(text).toBe("undefined, failed 1");
});

test("a change during the first read is read, too", async () => {
  const first = Promise.withResolvers<string>();
  const read = vi.fn<Read>().mockReturnValueOnce(first.promise).mockResolvedValueOnce("new");
  const { root, text } = show();
  root.render(<Shown name="changed" read={read} />);
  await expect.poll(() => read.mock.calls).toHaveLength(1);
  const changed = change();
  first.resolve("old");
  await changed;
  await expect.poll(text).toBe("new");
});

test("the value that a change returned is not replaced by an earlier read", async () => {
  const slow = Promise.withResolvers<string>();
  const read = vi.fn<Read>().mockResolvedValueOnce("1").mockReturnValueOnce(slow.promise);
  const { root, text } = show();
  root.render(<Shown name="replaced" read={read} />);
  await expect.poll(text).toBe("1");
  const refetched = change();
  replaceValue(["replaced"], "mine");
  slow.resolve("old");
  await refetched;
  await expect.poll(text).toBe("mine");
});
