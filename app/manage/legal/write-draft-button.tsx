import { useRef } from "react";
import { useRouteLoaderData } from "react-router";
import type { PageSettings } from "../../config/request-context.ts";
import { type LegalPage, legalPages } from "../../config/site-pages.ts";
import type { SiteSettings } from "../../config/site-schema.ts";
import { Button } from "../button.tsx";
import { ConfirmDialog } from "../confirm-dialog.tsx";
import { writeDraft } from "./drafts.ts";

interface WriteDraftButtonProps {
  page: LegalPage;
  settings: SiteSettings;
  onChange: (legal: SiteSettings["legal"]) => void;
}

/** Fills a legal page with a draft. Asks first when that replaces something. */
export function WriteDraftButton({ page, settings, onChange }: WriteDraftButtonProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  // The root route's loader returns them (root.tsx); this folder may not import its type.
  const root = useRouteLoaderData("root") as { settings: PageSettings };

  function write() {
    onChange({ ...settings.legal, [page]: writeDraft(page, settings, root.settings) });
    dialog.current?.close();
  }

  return (
    <>
      <p className="text-sm text-muted">
        A draft follows your settings as they are now. Read and change it: it is no legal advice.
      </p>
      <Button
        of={`for ${legalPages[page]}`}
        onClick={() => (settings.legal[page].length > 0 ? dialog.current?.showModal() : write())}
      >
        Write a draft from my settings
      </Button>
      <ConfirmDialog
        ref={dialog}
        title="Replace what is here?"
        text={`The draft replaces all parts of “${legalPages[page]}” in this form. Visitors see what is published until you publish it.`}
        confirm="Replace"
        onConfirm={write}
      />
    </>
  );
}
