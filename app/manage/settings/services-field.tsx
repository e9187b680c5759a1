import { ChevronDown, Eye, EyeOff, Plus, Trash2, X } from "lucide";
import { type ReactNode, useId, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { iconShapes } from "../../config/site-icons.ts";
import type { Service } from "../../config/site-schema.ts";
import { Icon } from "../../ui/icon.ts";
import { Button } from "../button.tsx";
import { type FieldProps, idOf, Problem, useForm } from "./field-frame.tsx";
import { type AnyDocument, limitOf } from "./fields.ts";
import { RowButton, RowItem, RowNote } from "./rows-field.tsx";
import { AddServiceDialog, DeleteServiceDialog, TargetSelect } from "./service-dialogs.tsx";
import {
  addService,
  changeRedirect,
  changeService,
  newService,
  removeService,
  type Services,
} from "./services.ts";
import { useRows } from "./use-rows.ts";

/** The whole document, because deleting a service can add a redirect. */
function useServices(): [Services, (services: Services) => void] {
  const { document, change } = useForm();
  // The document of this section has its shape (fields.ts).
  return [document as Services, (services) => change({ ...services })];
}

interface ServicesFieldProps extends FieldProps {
  /** The fields of a service. */
  children: (service: {
    path: string;
    value: Service;
    onChange: (service: AnyDocument) => void;
  }) => ReactNode;
}

/** The services of the site: rows with an address, which can be hidden, and which lead elsewhere when deleted. */
export function ServicesField({ schema, info, path, children }: ServicesFieldProps) {
  const [services, onChange] = useServices();
  const { items } = services;
  const { problemAt } = useForm();
  const max = limitOf(schema) ?? 0;
  const addDialog = useRef<HTMLDialogElement>(null);
  /** Services added since the editor was opened, whose pages visitors do not know. */
  const [added, setAdded] = useState<ReadonlySet<string>>(new Set());
  const [deleting, setDeleting] = useState<Service | null>(null);
  const rows = useRows({
    rows: items,
    onChange: (next) => onChange({ ...services, items: next }),
    nameOf: ({ title }, index) => title || `Service ${index + 1}`,
  });

  function add(slug: string, title: string) {
    setAdded(new Set(added).add(slug));
    rows.add(newService(slug, title), (service) => onChange(addService(services, service)));
  }

  function hide({ slug, title }: Service, hidden: boolean) {
    onChange(changeService(services, slug, { hidden }));
    rows.announce(`${title} is ${hidden ? "hidden" : "shown"}.`);
  }

  function remove({ slug }: Service, to: string | null) {
    setDeleting(null);
    const index = items.findIndex((service) => service.slug === slug);
    rows.remove(index, () => onChange(removeService(services, slug, to)));
  }

  return (
    <div id={idOf(path)} tabIndex={-1} className="outline-none">
      {items.length === 0 ? (
        <p className="rounded-md border border-line bg-surface p-6 text-center">
          There are no services. Pages leave out what would show them.
        </p>
      ) : (
        <ol ref={rows.list} aria-label={info.label} className="space-y-3">
          {items.map((service, index) => {
            const { slug, title, icon, hidden } = service;
            const name = title || `Service ${index + 1}`;
            const rowPath = `${path}[${index}]`;
            return (
              <RowItem
                key={rows.keys[index]}
                name={name}
                path={rowPath}
                index={index}
                count={items.length}
                collapsible
                openAtFirst={added.has(slug)}
                onMove={(by) => rows.move(index, by)}
                icon={
                  <Icon
                    drawing={iconShapes[icon]}
                    strokeWidth={1.5}
                    className={`size-6 shrink-0 ${hidden ? "text-muted" : "text-clay"}`}
                  />
                }
                notes={hidden && <RowNote>Hidden</RowNote>}
                actions={
                  <>
                    <RowButton
                      label={`${hidden ? "Show" : "Hide"} ${name} on the site`}
                      drawing={hidden ? EyeOff : Eye}
                      onClick={() => hide(service, !hidden)}
                    />
                    <RowButton
                      label={`Delete ${name}`}
                      drawing={Trash2}
                      onClick={() => setDeleting(service)}
                    />
                  </>
                }
              >
                <p className="border-t border-line pt-4 text-sm text-muted">
                  Address: <span className="font-medium text-ink">/services/{slug}</span>. It does
                  not change, so that links to the page keep working.
                </p>
                {children({
                  path: rowPath,
                  value: service,
                  onChange: (changed) => onChange(changeService(services, slug, changed)),
                })}
              </RowItem>
            );
          })}
        </ol>
      )}
      <Problem id={`${idOf(path)}-problem`} text={problemAt(path)} />
      <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button
          ref={rows.addButton}
          disabled={items.length >= max}
          onClick={() => addDialog.current?.showModal()}
        >
          <Icon drawing={Plus} className="size-4" />
          Add service
        </Button>
        <span className="text-sm text-muted">
          {items.length} of at most {max}
        </span>
      </div>
      <p role="status" className="sr-only">
        {rows.announcement}
      </p>
      <AddServiceDialog ref={addDialog} services={services} onAdd={add} />
      {deleting && (
        <DeleteServiceDialog
          service={deleting}
          services={services}
          needsRedirect={!added.has(deleting.slug)}
          onDelete={(to) => remove(deleting, to)}
          onCancel={() => setDeleting(null)}
        />
      )}
    </div>
  );
}

/** The redirects from the pages of deleted services. */
export function RedirectsField({ info }: FieldProps) {
  const [services, onChange] = useServices();
  const id = useId();
  const summary = useRef<HTMLElement>(null);
  const { redirects } = services;
  if (redirects.length === 0) return null;

  function remove(from: string) {
    flushSync(() => onChange(changeRedirect(services, from, null)));
    summary.current?.focus();
  }

  return (
    <details className="group border-y border-line">
      <summary ref={summary} className="flex min-h-12 items-center gap-3 py-2 font-semibold">
        <Icon
          drawing={ChevronDown}
          className="size-5 shrink-0 -rotate-90 text-muted group-open:rotate-0"
        />
        {info.label}
        <span className="text-sm font-normal text-muted">{redirects.length}</span>
      </summary>
      <p className="text-sm text-muted">{info.help}</p>
      <ul className="mt-3 space-y-3 pb-5">
        {redirects.map(({ from, to }) => (
          <li key={from} className="flex flex-wrap items-end gap-x-2">
            <div className="min-w-48 flex-1">
              <label htmlFor={`${id}-${from}`} className="text-sm font-semibold break-all">
                /services/{from}
              </label>
              <TargetSelect
                id={`${id}-${from}`}
                services={services}
                slug={from}
                value={to}
                onChange={(target) => onChange(changeRedirect(services, from, target))}
              />
            </div>
            <RowButton
              label={`Remove the redirect of /services/${from}`}
              drawing={X}
              onClick={() => remove(from)}
            />
          </li>
        ))}
      </ul>
    </details>
  );
}
