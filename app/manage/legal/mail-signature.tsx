import { composeMailEnding } from "../../../supabase/functions/_shared/licenses.ts";
import type { SiteSettings } from "../../config/site-schema.ts";
import { TextAreaField } from "../../ui/field.tsx";

/** The end of mails to visitors, to copy into the owner's mail program. Nothing without a license or a disclosure. */
export function MailSignature({ settings }: { settings: SiteSettings }) {
  const text = composeMailEnding({ ...settings });
  if (!text) return null;
  return (
    <div className="rounded-lg border border-line bg-surface p-5 sm:p-6">
      <TextAreaField
        label="Signature for your emails"
        rows={text.split("\n").length + 2}
        value={text}
        readOnly
        onFocus={(event) => event.target.select()}
      />
      <p className="mt-3 text-sm text-muted">
        Emails of this site to visitors end with it. Copy it into your mail program: California asks
        for the license number directly below your name, in letters no smaller than your address and
        phone number (Ins. Code 1725.5).
      </p>
    </div>
  );
}
