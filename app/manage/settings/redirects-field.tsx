import { ChevronDown, X } from "lucide";
import { useId, useRef } from "react";
import { flushSync } from "react-dom";
import { controlClass } from "../../ui/field.tsx";
import { Icon } from "../../ui/icon.ts";
import { RowButton } from "./row-header.tsx";
import { changeRedirect, redirectTargets, type Services } from "./services.ts";

interface RedirectsFieldProps {
  services: Services;
  onChange: (services: Services) => void;
}

/** Where the pages of deleted services lead. */
export function RedirectsField({ services, onChange }: RedirectsFieldProps) {
  const id = useId();
  const summary = useRef<HTMLElement>(null);
  const { items, redirects } = services;
  if (redirects.length === 0) return null;

  function remove(from: string) {
    flushSync(() => onChange(changeRedirect(services, from, null)));
    summary.current?.focus();
  }

  return (
    <details className="group mt-6 border-y border-line">
      <summary ref={summary} className="flex min-h-12 items-center gap-3 py-2 font-semibold">
        <Icon
          drawing={ChevronDown}
          className="size-5 shrink-0 -rotate-90 text-muted group-open:rotate-0"
        />
        Old addresses
        <span className="text-sm font-normal text-muted">{redirects.length}</span>
      </summary>
      <p className="text-sm text-muted">Where the pages of deleted services lead.</p>
      <ul className="mt-3 space-y-3 pb-5">
        {redirects.map(({ from, to }) => {
          const targets = redirectTargets(services, from);
          const hidden = items.find(
            ({ slug }) => slug === to && !targets.some((t) => t.slug === to),
          );
          return (
            <li key={from} className="flex flex-wrap items-end gap-x-2">
              <div className="min-w-48 flex-1">
                <label htmlFor={`${id}-${from}`} className="text-sm font-semibold break-all">
                  /services/{from}
                </label>
                <select
                  id={`${id}-${from}`}
                  value={to}
                  onChange={(event) => onChange(changeRedirect(services, from, event.target.value))}
                  className={controlClass}
                >
                  <option value="">All services (/services)</option>
                  {targets.map(({ slug, title }) => (
                    <option key={slug} value={slug}>
                      {title || slug}
                    </option>
                  ))}
                  {hidden && <option value={to}>{hidden.title || to} (hidden)</option>}
                </select>
              </div>
              <RowButton
                label={`Remove the redirect of /services/${from}`}
                drawing={X}
                onClick={() => remove(from)}
              />
            </li>
          );
        })}
      </ul>
    </details>
  );
}
