import { expect, test, vi } from "vitest";
import { createVisitorClient } from "../supabase/create-visitor-client.ts";
import { findPost } from "./find-post.ts";

test("a 404 with an array as its body is no post", async () => {
  vi.stubGlobal("fetch", async () => Response.json([], { status: 404 }));
  expect(await findPost(createVisitorClient("http://project.example", "key"), "a-post")).toBeNull();
});
