import { expect, onTestFinished, test, vi } from "vitest";
import * as browserClient from "../../supabase/browser-client.ts";
import { describeFailure, findServingProblem, newUpload, storedFile } from "./image-storage.ts";

test("an upload has the path in the bucket that its reference names, also with a version", () => {
  const stored = { bucket: "images", path: "public/a b.png" };
  expect(storedFile("images/public/a%20b.png?t=17")).toEqual(stored);
  const reference = newUpload("png");
  expect(`images/${storedFile(reference)?.path}`).toBe(reference);
  expect(storedFile("/files/form-crs-1.pdf")).toEqual({
    bucket: "files",
    path: "files/form-crs-1.pdf",
  });
});

test.each([
  null,
  "",
  "/images/posts/own.svg",
  "https://elsewhere.example/images/public/abc.png",
  "images/private/abc.png",
  "other/public/abc.png",
  "images/public/%",
  "https://elsewhere.example/files/a.pdf",
  "/files/a.txt",
])("%j is not an upload", (image) => {
  expect(storedFile(image)).toBeNull();
});

test.each([
  [403, "new row violates row-level security policy", "This account may not upload images."],
  [403, '"exp" claim timestamp check failed', "Your session has ended. Please log in again."],
  [413, "The object exceeded the maximum allowed size", "The image is too large: at most 50 MB."],
  [409, "The resource already exists", "The resource already exists"],
])("a rejection with %i in its body, %j, is shown as %j", (code, message, shown) => {
  const responseText = JSON.stringify({ statusCode: String(code), error: "Any", message });
  expect(describeFailure("image/png", 400, responseText)).toBe(shown);
});

test("an upload to a hosted project is kept unless the site says why it cannot scale it", async () => {
  onTestFinished(() => void vi.restoreAllMocks());
  vi.stubGlobal("window", { location: { origin: "https://site.example" } });
  const project = vi.spyOn(browserClient, "projectUrl").mockReturnValue("https://p.supabase.co");
  const fetch = vi.fn(
    async (_address: string) => new Response("The image is too large.", { status: 422 }),
  );
  vi.stubGlobal("fetch", fetch);
  expect(await findServingProblem("images/public/a.png")).toBe("The image is too large.");
  expect(fetch.mock.calls[0]?.[0]).toBe("/images/1600/uploads/a.png");
  fetch.mockResolvedValue(new Response(null, { status: 200 }));
  expect(await findServingProblem("images/public/a.png")).toBeNull();
  fetch.mockResolvedValue(new Response(null, { status: 503 }));
  expect(await findServingProblem("images/public/a.png")).toBeNull();
  fetch.mockRejectedValue(new TypeError("Failed to fetch"));
  expect(await findServingProblem("images/public/a.png")).toBeNull();
  // The embedded backend has decoded the image before it stored the image.
  fetch.mockClear();
  project.mockReturnValue("https://site.example");
  expect(await findServingProblem("images/public/a.png")).toBeNull();
  expect(fetch).not.toHaveBeenCalled();
});
