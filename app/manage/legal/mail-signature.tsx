import { composeMailEnding } from "../../../supabase/functions/_shared/licenses.ts";
import type { SiteSettings } from "../../config/site-schema.ts";
import { showToast } from "../../ui/toast.ts";
import { Button } from "../button.tsx";

/** The end of mails to visitors, to copy into the owner's mail program. Nothing without a license or a disclosure. */
export function MailSignature({ settings }: { settings: SiteSettings }) {
  const text = composeMailEnding({ ...settings });
  if (!text) return null;

  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      showToast({ tone: "success", title: "Signature copied" });
    } catch {
      // Browsers offer the clipboard only with https.
      const description = "Select the text and copy it by keyboard instead.";
      showToast({ tone: "error", title: "Copying failed", description });
    }
  }

  return (
    <section
      aria-labelledby="signature-title"
      className="rounded-lg border border-line bg-surface p-5 sm:p-6"
    >
      <h2 id="signature-title" className="font-sans text-lg font-semibold">
        Signature for your emails
      </h2>
      <p className="mt-1 text-muted">
        Emails of this site to visitors end with it. Copy it into your mail program: California asks
        for the license number directly below your name, in letters no smaller than your address and
        phone number (Ins. Code 1725.5).
      </p>
      <p className="mt-4 rounded-md bg-sand p-4 whitespace-pre-line [overflow-wrap:anywhere]">
        {text}
      </p>
      <Button className="mt-4" onClick={copy}>
        Copy signature
      </Button>
    </section>
  );
}
