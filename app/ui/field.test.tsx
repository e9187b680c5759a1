// @vitest-environment happy-dom

import { act } from "react";
import { createRoot } from "react-dom/client";
import { expect, test, vi } from "vitest";
import { TextField } from "./field.tsx";

test("marks that came along with a pasted address are removed before the browser checks it, and other texts stay", () => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  const page = document.createElement("div");
  document.body.append(page);
  const root = createRoot(page);
  act(() =>
    root.render(
      <>
        <TextField label="Email" name="email" type="email" />
        <TextField label="Name" name="name" />
      </>,
    ),
  );
  const paste = (name: string, text: string) => {
    const field = page.querySelector<HTMLInputElement>(`[name=${name}]`);
    if (!field) throw new Error(`There is no field ${name}.`);
    field.value = text;
    act(() => field.dispatchEvent(new Event("input", { bubbles: true })));
    return field.value;
  };
  expect(paste("email", "\u202aada@example.com\u202c\u200b")).toBe("ada@example.com");
  expect(paste("name", "Ada ")).toBe("Ada ");
  act(() => root.unmount());
  page.remove();
});
