import type { Release } from "../../config/checks/release.ts";
import { CopyButton } from "../button.tsx";
import { Disclosure } from "../page-parts.tsx";

/** A newer release of the site: what it changes, and who installs it. */
export function ReleaseNote({ release }: { release: Release }) {
  const { version, changes, install } = release;
  const command = install === "upgrade" ? `sudo adviser-site upgrade v${version}` : "git pull";
  return (
    <Disclosure
      title={`Version ${version} is available`}
      note={install === "tonight" ? "It is installed tonight." : "What changes"}
      className="mt-10 rounded-lg border border-line bg-surface px-4 sm:px-5 [details+&]:mt-4"
    >
      <div className="border-t border-line py-4 text-sm wrap-anywhere">
        {install !== "tonight" && (
          <div className="mb-5">
            <p className="text-muted">
              {install === "upgrade"
                ? "It is installed with one command on the machine of your site. The site tries it on a copy first, and stays as it is if something fails."
                : "It is installed on the machine of your site: make a backup, run this command in the folder of the site, and start the site again."}
            </p>
            <p className="mt-2 flex flex-wrap items-center gap-3">
              <code className="rounded-md bg-sand px-3 py-1.5">{command}</code>
              <CopyButton
                text={command}
                copied="Command Copied"
                next="Paste it into the terminal of that machine."
                advice="Select the command and copy it by keyboard instead."
              >
                Copy
              </CopyButton>
            </p>
          </div>
        )}
        {changes.length === 0 ? (
          <p>What it changes could not be read.</p>
        ) : (
          changes.map(({ title, items }) => (
            <section key={title} className="mt-4 first:mt-0">
              <h3 className="font-semibold">{title}</h3>
              <ul className="mt-1.5 list-disc space-y-1.5 pl-5">
                {items.map((item) => (
                  <li key={item}>{item}</li>
                ))}
              </ul>
            </section>
          ))
        )}
      </div>
    </Disclosure>
  );
}
