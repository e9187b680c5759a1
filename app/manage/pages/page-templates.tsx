import { keysOf } from "../../../supabase/functions/_shared/object-keys.ts";
import { useSendsMail } from "../../config/use-site.ts";
import { loadModule } from "../../loading/load-module.ts";
import { readPublicSettings } from "../../supabase/browser-client.ts";
import { Button } from "../button.tsx";
import { Section } from "../page-parts.tsx";
import { useAction } from "../use-action.ts";
import { type LegalPage, legalPages, type Template, templates } from "./templates.ts";

/** Texts to start a page from. Those about the site itself are written from its settings. */
export function PageTemplates({ onChoose }: { onChoose: (template: Template) => void }) {
  const { isRunning, run } = useAction();
  const sendsMail = useSendsMail();

  function writeDraft(page: LegalPage) {
    return run(
      async (client) => {
        const { draftFromSettings } = await loadModule(() => import("./legal-drafts.ts"));
        const server = { ...readPublicSettings(), sendsMail };
        const text = await draftFromSettings(client, page, server);
        onChoose({ title: legalPages[page], slug: page, text });
      },
      null,
      { title: "The draft was not written" },
    );
  }

  return (
    <Section
      title="Start from"
      className="mt-6 rounded-md bg-sage p-4"
      headingClass="font-sans text-base font-semibold"
    >
      <p className="mt-1 text-sm text-muted">
        Read and change every sentence. What is in [brackets] is for you to fill in. The last three
        follow your settings as they are now, and are no legal advice.
      </p>
      <div className="mt-3 flex flex-wrap gap-2">
        {templates.map((template) => (
          <Button key={template.slug} disabled={isRunning} onClick={() => onChoose(template)}>
            {template.title}
          </Button>
        ))}
        {keysOf(legalPages).map((page) => (
          <Button key={page} disabled={isRunning} onClick={() => writeDraft(page)}>
            {legalPages[page]}
          </Button>
        ))}
      </div>
    </Section>
  );
}
