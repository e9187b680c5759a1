// @vitest-environment happy-dom
import { Suspense, useEffect } from "react";
import { createRoot } from "react-dom/client";
import { Await, createRoutesStub, Outlet, useLocation, useNavigate } from "react-router";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { useScrollBehavior } from "./page-change.tsx";

const scrolledTo: string[] = [];

beforeEach(() => {
  scrolledTo.length = 0;
  vi.spyOn(Element.prototype, "scrollIntoView").mockImplementation(function (this: Element) {
    scrolledTo.push(this.id);
  });
});

/** Navigates to a page whose sections arrive with its data. @returns functions that bring the data, and that leave the page */
async function openPage(hash: string) {
  const { promise, resolve } = Promise.withResolvers<string>();
  const actions: { navigate?: ReturnType<typeof useNavigate>; path?: string } = {};
  const Frame = () => {
    useScrollBehavior();
    const { pathname } = useLocation();
    actions.navigate = useNavigate();
    // After the effects of useScrollBehavior.
    useEffect(() => {
      actions.path = pathname;
    }, [pathname]);
    return <Outlet />;
  };
  const Page = () => (
    <Suspense fallback={<p>Loading</p>}>
      <Await resolve={promise}>{(id) => <section id={id}>Section</section>}</Await>
    </Suspense>
  );
  const Stub = createRoutesStub([
    {
      Component: Frame,
      children: [
        { path: "/", Component: () => <p>Home</p> },
        { path: "/services/x", Component: Page },
        { path: "/other", Component: () => <p>Other</p> },
      ],
    },
  ]);
  const root = createRoot(document.body);
  onTestFinished(() => root.unmount());
  root.render(<Stub />);
  const arriveAt = (path: string) => expect.poll(() => actions.path).toBe(path);
  await arriveAt("/");
  await actions.navigate?.(`/services/x${hash}`);
  await arriveAt("/services/x");
  return {
    async load(id: string) {
      resolve(id);
      await expect.poll(() => document.getElementById(id)).not.toBeNull();
      // The observer reports in a microtask after the change.
      await Promise.resolve();
    },
    async leave() {
      await actions.navigate?.("/other");
      await arriveAt("/other");
    },
  };
}

test("a hash whose element arrives with the data scrolls to it then, and moves the focus", async () => {
  const { load } = await openPage("#in%20short");
  expect(scrolledTo).toEqual([]);
  await load("in short");
  expect(scrolledTo).toEqual(["in short"]);
  expect(document.activeElement?.id).toBe("in short");
});

test.each(["wheel", "touchmove", "keydown", "pointerdown"])(
  "after a %s of the visitor, what arrives does not move the page",
  async (event) => {
    const { load } = await openPage("#in-short");
    window.dispatchEvent(new Event(event));
    await load("in-short");
    expect(scrolledTo).toEqual([]);
  },
);

test("a page that was left does not scroll the next one", async () => {
  const { leave } = await openPage("#in-short");
  await leave();
  const section = document.createElement("section");
  section.id = "in-short";
  document.body.append(section);
  await Promise.resolve();
  expect(scrolledTo).toEqual([]);
  section.remove();
});
