import { useRef } from "react";
import { type LegalPage, legalPages } from "../../config/site-pages.ts";
import type { SiteSettings } from "../../config/site-schema.ts";
import { useSendsMail } from "../../config/use-site.ts";
import { readPublicSettings } from "../../supabase/browser-client.ts";
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
  const server = { ...readPublicSettings(), sendsMail: useSendsMail() };

  function write() {
    onChange({ ...settings.legal, [page]: writeDraft(page, settings, server) });
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
