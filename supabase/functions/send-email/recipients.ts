// Chooses the addresses of a mail: those of the site's settings, else those of the environment.

interface MailSettings {
  recipients: readonly string[];
  sender: string;
}

interface MailDefaults {
  from: string;
  to: string;
}

/** @returns `to` as a list that is separated by commas */
export function chooseAddresses(
  { recipients, sender }: MailSettings,
  defaults: MailDefaults,
): MailDefaults {
  return {
    from: sender || defaults.from,
    to: recipients.length > 0 ? recipients.join(", ") : defaults.to,
  };
}
