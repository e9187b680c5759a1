import { useEffect } from "react";
import { useSearchParams } from "react-router";
import { keysOf } from "../../../supabase/functions/_shared/object-keys.ts";
import { useSendsMail } from "../../config/use-site.ts";
import { loadModule } from "../../loading/load-module.ts";
import { readPublicSettings } from "../../supabase/browser-client.ts";
import { Section } from "../page-parts.tsx";
import { useAction } from "../use-action.ts";
import { type LegalPage, legalPages, type Template, templates } from "./templates.ts";

/** Texts to start a page from. Those about the site itself are written from its settings. */
export function PageTemplates({ onChoose }: { onChoose: (template: Template) => void }) {
  const { isRunning, run } = useAction();
  const sendsMail = useSendsMail();
  const [query, setQuery] = useSearchParams();
  /** Home links to a template. */
  const wanted = keysOf(legalPages).find((page) => page === query.get("template"));

  useEffect(() => {
    if (!wanted) return;
    // Once, so that an owner who empties the page gets the choice.
    setQuery({}, { replace: true, preventScrollReset: true, state: { staysInPlace: true } });
    void writeDraft(wanted);
  });

  function writeDraft(page: LegalPage) {
    return run(
      async (client) => {
        const { draftFromSettings } = await loadModule(() => import("./legal-drafts.ts"));
        const server = { ...readPublicSettings(), sendsMail };
        const text = await draftFromSettings(client, page, server);
        onChoose({ title: legalPages[page].title, slug: page, text });
      },
      null,
      { title: "The draft was not written" },
    );
  }

  return (
    <Section title="Start from a template" className="mt-8" headingClass="text-base font-semibold">
      <ul className="mt-3 grid gap-3 sm:grid-cols-2 xl:grid-cols-3">
        {templates.map((template) => (
          <Tile
            key={template.slug}
            {...template}
            disabled={isRunning}
            onChoose={() => onChoose(template)}
          />
        ))}
        {keysOf(legalPages).map((page) => (
          <Tile
            key={page}
            {...legalPages[page]}
            disabled={isRunning}
            onChoose={() => void writeDraft(page)}
          />
        ))}
      </ul>
      <p className="mt-4 text-sm text-muted">
        Read and change every sentence. What is in [brackets] is for you to fill in: until then, the
        page cannot be published. The last three follow your settings, and are no legal advice.
      </p>
    </Section>
  );
}

interface TileProps {
  title: string;
  about: string;
  disabled: boolean;
  onChoose: () => void;
}

function Tile({ title, about, disabled, onChoose }: TileProps) {
  return (
    <li className="relative rounded-lg border border-line p-4 hover:border-edge hover:bg-sand">
      <button
        type="button"
        disabled={disabled}
        onClick={onChoose}
        className="card-link text-left font-semibold disabled:opacity-60"
      >
        {title}
      </button>
      <p className="mt-0.5 text-sm text-muted">{about}</p>
    </li>
  );
}
