// The recipients and the sender of the site's mails: first what the owner published under /manage/settings, then the
// settings of the environment.

/** Published documents of `site_settings`, as stored. */
export type Documents = Readonly<Record<string, unknown>>;

export interface MailEnvironment {
  /** The setting CONTACT_TO. */
  to?: string | undefined;
  /** The setting CONTACT_FROM. */
  from?: string | undefined;
  /** The address of a new site, whose owner has published none. */
  fallback?: string | undefined;
}

export interface MailAddresses {
  /** The recipients, at least one. */
  to: [string, ...string[]];
  from: string;
}

/** The sections that the addresses come from. */
export const addressSections = ["mail", "contact"];

/** @returns null when there is no recipient */
export function chooseAddresses(
  documents: Documents,
  environment: MailEnvironment,
): MailAddresses | null {
  const recipients = entriesIn(documents.mail, "recipients").flatMap((item) =>
    typeof item === "string" && item ? item : [],
  );
  const others = [environment.to, textIn(documents.contact, "email"), environment.fallback];
  const [first, ...more] =
    recipients.length > 0 ? recipients : others.filter((address) => address).slice(0, 1);
  if (!first) return null;
  return {
    to: [first, ...more.flatMap((address) => address ?? [])],
    from: textIn(documents.mail, "sender") || environment.from || first,
  };
}

/** A text of a stored document; empty when it is missing. */
export function textIn(document: unknown, name: string): string {
  const value = fieldIn(document, name);
  return typeof value === "string" ? value.trim() : "";
}

/** The entries of a list of a stored document. */
export function entriesIn(document: unknown, name: string): unknown[] {
  const value = fieldIn(document, name);
  return Array.isArray(value) ? value : [];
}

function fieldIn(document: unknown, name: string): unknown {
  if (typeof document !== "object" || document === null) return undefined;
  return Object.entries(document).find(([key]) => key === name)?.[1];
}
