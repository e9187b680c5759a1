// A running site for the tests of one file, and its pages as a program without scripts reads them.
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import {
  type Element,
  type HTMLButtonElement,
  type HTMLDocument,
  type HTMLFormElement,
  type HTMLInputElement,
  Window,
} from "happy-dom";
import { afterAll } from "vitest";
import type { Database } from "../../app/supabase/database.ts";
import { startNewSite } from "../start-site.ts";

export type Client = SupabaseClient<Database>;

/** Starts a site that stops after the last test of the file. */
export async function setUpSite(environment: Record<string, string> = {}) {
  const site = await startNewSite(environment);
  afterAll(site.stop);
  const auth = { persistSession: false, autoRefreshToken: false };
  const connect = (): Client => createClient<Database>(site.url, site.anonKey, { auth });
  const owner = connect();
  const { error } = await owner.auth.signInWithPassword(site.owner);
  if (error) throw error;
  return { siteUrl: site.url, owner, visitor: connect(), open: openPages(site.url) };
}

export type Page = Awaited<ReturnType<ReturnType<typeof openPages>>>;

/** @returns a function that loads a page and follows its redirects */
function openPages(siteUrl: string) {
  return async function open(path: string, init: RequestInit = {}) {
    const response = await fetch(siteUrl + path, init);
    const html = await response.text();
    const { pathname, search } = new URL(response.url);
    return {
      html,
      status: response.status,
      headers: response.headers,
      path: pathname + search,
      document: parse(html),
    };
  };
}

/** Reads HTML without running its scripts. */
export function parse(html: string): HTMLDocument {
  const { DOMParser } = new Window({ settings: { disableJavaScriptFileLoading: true } });
  return new DOMParser().parseFromString(html, "text/html");
}

/** The text of elements, with single spaces. */
export function textOf(element: Element | null): string {
  return (element?.textContent ?? "").replace(/\s+/g, " ").trim();
}

/** The element with this selector. @throws an Error where there is none */
export function find<T extends Element = Element>(
  within: Element | HTMLDocument,
  selector: string,
) {
  const found = within.querySelector(selector);
  if (!found) throw new Error(`The page has no ${selector}`);
  return found as T;
}

/** The link or button with this text. */
export function named<T extends Element = Element>(
  within: Element | HTMLDocument,
  selector: string,
  text: string,
): T {
  const found = [...within.querySelectorAll(selector)].find((each) => textOf(each) === text);
  if (!found) throw new Error(`The page has no ${selector} '${text}'`);
  return found as T;
}

/** The request that a browser without scripts makes when a button is pressed. */
export function pressed(
  page: Page,
  button: string,
  values: Record<string, string> = {},
): [path: string, init: RequestInit] {
  const submitter = named<HTMLButtonElement>(page.document, "button", button);
  const form = submitter.closest("form") as HTMLFormElement | null;
  if (!form) throw new Error(`'${button}' is in no form`);
  const fields = new URLSearchParams();
  for (const field of form.querySelectorAll("input, textarea, select")) {
    const { name, type, value, checked } = field as HTMLInputElement;
    if (!name || (["checkbox", "radio"].includes(type) && !checked)) continue;
    fields.append(name, values[name] ?? value);
  }
  if (submitter.name) fields.append(submitter.name, submitter.value);
  const action = submitter.getAttribute("formaction") ?? form.getAttribute("action") ?? page.path;
  const { pathname, search } = new URL(action, `http://site.example${page.path}`);
  return form.getAttribute("method")?.toLowerCase() === "post"
    ? [pathname + search, { method: "POST", body: fields }]
    : [`${pathname}?${fields}`, {}];
}
