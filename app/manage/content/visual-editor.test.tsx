// @vitest-environment happy-dom
import { act } from "react";
import { createRoot } from "react-dom/client";
import { expect, test, vi } from "vitest";

test("the editor is there at once, also on a page with an element that has the id `next`", async () => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  document.body.innerHTML =
    '<h2 id="next">Read next</h2><label id="text-label">Content</label><div id="root"></div>';
  // As in a browser. Tiptap looks for it when its code is loaded, which no other test file does.
  vi.stubGlobal("next", document.getElementById("next"));
  vi.resetModules();
  const { VisualEditor } = await import("./visual-editor.tsx");
  const root = createRoot(document.getElementById("root") ?? document.body);
  const content = [{ type: "paragraph", text: "A sentence." }];
  await act(() =>
    root.render(
      <VisualEditor
        id="text"
        content={content}
        disabled={false}
        onChange={() => {}}
        onUploading={() => {}}
        onTitle={() => false}
      />,
    ),
  );
  expect(document.getElementById("text")?.textContent).toBe("A sentence.");
  await act(() => root.unmount());
});
