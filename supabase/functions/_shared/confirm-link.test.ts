import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { confirmLink, linkTypes } from "./confirm-link.ts";

const supabase = join(import.meta.dirname, "../..");

test.each(linkTypes)(
  "the mail template %s of a hosted project has the site's link only",
  (type) => {
    const config = readFileSync(join(supabase, "config.toml"), "utf8");
    expect(config).toMatch(
      new RegExp(
        `\\[auth\\.email\\.template\\.${type}\\]\\n.*\\n.*"./supabase/templates/${type}.html"`,
      ),
    );
    const html = readFileSync(join(supabase, `templates/${type}.html`), "utf8")
      .replaceAll("{{ .SiteURL }}", "https://www.example.com")
      .replaceAll("{{ .TokenHash }}", "a1_b2");
    const links = [...html.matchAll(/href="([^"]+)"/g)].map(([, link]) => link);
    expect(links).toEqual([confirmLink("https://www.example.com", type, "a1_b2").href]);
    expect(html).not.toMatch(/ConfirmationURL|\.Token\b/);
  },
);
