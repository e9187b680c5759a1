// @vitest-environment happy-dom

import { act, Component, type ReactNode, useLayoutEffect } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { FreshMarkup } from "./fresh-markup.tsx";

let page: HTMLElement;
let root: Root;

beforeEach(() => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  page = document.createElement("div");
  root = createRoot(page, { onCaughtError: () => {} });
});

afterEach(() => {
  act(() => root.unmount());
});

class Outer extends Component<{ children: ReactNode }, { text: string }> {
  override state = { text: "" };
  static getDerivedStateFromError(error: Error) {
    return { text: error.message };
  }
  override render() {
    return this.state.text || this.props.children;
  }
}

function show(path: string, children: ReactNode): void {
  act(() => {
    root.render(
      <Outer>
        <FreshMarkup page={path}>{children}</FreshMarkup>
      </Outer>,
    );
  });
}

test("content whose elements a script removed is rendered with new ones", () => {
  const content = (note: boolean) => (
    <main>
      <h1>Title</h1>
      {note && <p>Out of date</p>}
    </main>
  );
  show("/a", content(true));
  const former = page.querySelector("main");
  page.querySelector("p")?.remove();
  show("/a", content(false));
  expect(page.innerHTML).toBe("<main><h1>Title</h1></main>");
  expect(page.querySelector("main")).not.toBe(former);
});

test("a page that fails is tried again once, then the failure is thrown", () => {
  let failures = 0;
  function Broken({ times }: { times: number }): ReactNode {
    useLayoutEffect(() => {
      if (failures === times) return;
      failures++;
      throw new Error("Broken");
    });
    return "Shown";
  }
  show("/a", <Broken times={1} />);
  expect(page.textContent).toBe("Shown");
  // Another page may fail once as well.
  show("/b", <Broken times={2} />);
  expect(page.textContent).toBe("Shown");
  show("/b", <Broken times={9} />);
  expect(page.textContent).toBe("Broken");
  expect(failures).toBe(3);
});
