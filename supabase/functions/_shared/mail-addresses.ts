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
  /** Who receives messages. Private; empty when nobody does. */
  to: string[];
  /** Where mails come from; empty when no address is known. */
  from: string;
  /** Whether `from` is an address for mails. Otherwise it is a private one, which strangers must not see. */
  hasSender: boolean;
  /** Where strangers may answer; empty when none is published. */
  publicAddress: string;
}

export function chooseAddresses(documents: Documents, environment: MailEnvironment): MailAddresses {
  const recipients = entriesIn(documents.mail, "recipients").flatMap((item) =>
    typeof item === "string" && item ? item : [],
  );
  const publicAddress = textIn(documents.contact, "email");
  const others = [environment.to, publicAddress, environment.fallback];
  const [first = ""] = others.flatMap((address) => address || []);
  const to = recipients.length > 0 ? recipients : [first].filter(Boolean);
  // `Name <address>` is accepted, but the name in From is the firm's.
  const set = environment.from?.match(/<([^<>]+)>\s*$/)?.[1] ?? environment.from;
  const sender = textIn(documents.mail, "sender") || set || "";
  return { to, from: sender || to[0] || "", hasSender: sender !== "", publicAddress };
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
