import { Plus } from "lucide";
import { type ReactNode, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { serviceIcons } from "../../config/service-icons.ts";
import type { Service } from "../../config/site-schema.ts";
import { missingTexts } from "../../config/unfinished-texts.ts";
import { Icon } from "../../ui/icon.ts";
import { MenuItem, MoreMenu } from "../../ui/menu.tsx";
import { Button } from "../button.tsx";
import { Badge } from "../page-parts.tsx";
import { type FieldProps, idOf, Problem, useForm } from "./field-frame.tsx";
import { type AnyDocument, limitOf } from "./fields.ts";
import { RowItem, StarterNote, StarterNotice } from "./rows-field.tsx";
import { AddServiceDialog, DeleteServiceDialog } from "./service-dialogs.tsx";
import {
  addService,
  changeService,
  changeSlug,
  newService,
  removeService,
  type Services,
  suggestSlug,
} from "./services.ts";
import { useRows } from "./use-rows.ts";

/** The whole document: deleting a service can add a redirect. */
function useServices() {
  const { document, start, change, markRead } = useForm();
  return {
    // The documents of this section have its shape (fields.ts).
    services: document as Services,
    /** The service that visitors find at an address. */
    published: (slug: string) => (start as Services).items.find((item) => item.slug === slug),
    onChange: (services: Services) => change({ ...services }),
    onRead: (services: Services) => markRead({ ...services }),
  };
}

interface ServicesFieldProps extends FieldProps {
  children: (service: {
    path: string;
    value: Service;
    onChange: (service: AnyDocument) => void;
  }) => ReactNode;
}

/** The services of the site: rows with an address, which can be hidden, and which lead elsewhere when deleted. */
export function ServicesField({ schema, info, path, children }: ServicesFieldProps) {
  const { services, published, onChange, onRead } = useServices();
  const { items, redirects } = services;
  const { problemAt } = useForm();
  const max = limitOf(schema) ?? 0;
  const addDialog = useRef<HTMLDialogElement>(null);
  /** The address of the service that was added last. */
  const [added, setAdded] = useState<string>();
  const [deleting, setDeleting] = useState<Service | null>(null);
  const rows = useRows({
    rows: items,
    onChange: (next) => onChange({ ...services, items: next }),
    nameOf: ({ title }, index) => title || `Service ${index + 1}`,
  });

  function add(slug: string, title: string) {
    setAdded(slug);
    rows.add(newService(slug, title), (service) => onChange(addService(services, service)));
  }

  function hide({ slug, title }: Service, hidden: boolean) {
    onChange(changeService(services, slug, { hidden }));
    rows.announce(`${title} is ${hidden ? "hidden" : "shown"}.`);
  }

  function confirmRead({ slug, title }: Service, index: number) {
    flushSync(() => onRead(changeService(services, slug, { starter: false })));
    rows.announce(`The texts of ${title} are marked as read.`);
    // The pressed button is gone.
    rows.list.current?.children[index]?.querySelector<HTMLElement>("[data-row-focus]")?.focus();
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
            const { slug, title, icon, hidden, starter } = service;
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
                openAtFirst={added === slug}
                onMove={(by) => rows.move(index, by)}
                icon={
                  <Icon
                    drawing={serviceIcons[icon].shape}
                    strokeWidth={1.5}
                    className={`size-6 shrink-0 ${hidden ? "text-muted" : "text-clay"}`}
                  />
                }
                notes={
                  <>
                    {hidden && <Badge>Hidden</Badge>}
                    {starter && <StarterNote />}
                    {missingTexts(service).length > 0 && <Badge>Texts missing</Badge>}
                  </>
                }
                menu={
                  <MoreMenu of={name}>
                    <MenuItem disabled={index === 0} onClick={() => rows.move(index, -1)}>
                      Move up
                    </MenuItem>
                    <MenuItem
                      disabled={index === items.length - 1}
                      onClick={() => rows.move(index, 1)}
                    >
                      Move down
                    </MenuItem>
                    <MenuItem onClick={() => hide(service, !hidden)}>
                      {hidden ? "Show" : "Hide"}
                    </MenuItem>
                    <MenuItem look="danger" onClick={() => setDeleting(service)}>
                      Delete
                    </MenuItem>
                  </MoreMenu>
                }
              >
                <div className="space-y-4 border-t border-line pt-4">
                  {starter && (
                    <StarterNotice of={name} onRead={() => confirmRead(service, index)} />
                  )}
                  {children({
                    path: rowPath,
                    value: service,
                    onChange: (changed) => onChange(changeService(services, slug, changed)),
                  })}
                </div>
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
        <span className="text-sm text-muted">{`${items.length} of at most ${max}`}</span>
      </div>
      <p role="status" className="sr-only">
        {rows.announcement}
      </p>
      <AddServiceDialog ref={addDialog} services={services} onAdd={add} />
      {deleting && (
        <DeleteServiceDialog
          service={deleting}
          services={services}
          needsRedirect={
            published(deleting.slug) !== undefined ||
            redirects.some(({ to }) => to === deleting.slug)
          }
          onDelete={(to) => remove(deleting, to)}
          onCancel={() => setDeleting(null)}
        />
      )}
    </div>
  );
}

/** The address of a service, and the one that a new title offers. */
export function SlugField({ info, path, value: slug }: FieldProps<string>) {
  const { services, published, onChange } = useServices();
  const service = services.items.find((item) => item.slug === slug);
  const isKnown = published(slug) !== undefined;
  const suggested = service ? suggestSlug(services, service, published(slug)?.title) : null;

  function accept(to: string) {
    flushSync(() => onChange(changeSlug(services, slug, to, isKnown)));
    document.getElementById(idOf(path))?.focus();
  }

  return (
    <div className="text-sm">
      <p className="font-semibold">{info.label}</p>
      <p id={idOf(path)} tabIndex={-1} className="wrap-anywhere outline-none">
        {`/services/${slug}`}
      </p>
      {suggested ? (
        <>
          <Button className="mt-2 max-w-full wrap-anywhere" onClick={() => accept(suggested)}>
            {`Change it to /services/${suggested}`}
          </Button>
          {isKnown && <p className="mt-1 text-muted">The old address will lead to the new one.</p>}
        </>
      ) : (
        <p className="text-muted">{info.help}</p>
      )}
    </div>
  );
}
