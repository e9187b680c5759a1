import { Plus } from "lucide";
import { useRef, useState } from "react";
import type { Service } from "../../config/site-schema.ts";
import { buttonClass } from "../../ui/button.ts";
import { Icon } from "../../ui/icon.ts";
import { AddServiceDialog } from "./add-service-dialog.tsx";
import { DeleteServiceDialog } from "./delete-service-dialog.tsx";
import { RedirectsField } from "./redirects-field.tsx";
import { ServiceItem } from "./service-item.tsx";
import { type ServiceProblems, ServiceProblemsContext } from "./service-problems.ts";
import {
  addService,
  changeService,
  maxServices,
  newService,
  redirectTargets,
  removeService,
  type Services,
} from "./services.ts";
import { useRows } from "./use-rows.ts";

interface ServicesEditorProps {
  document: Services;
  onChange: (document: Services) => void;
  /** By path, as the database writes it: "items[2].title". */
  problems: ServiceProblems;
}

/** The services of the site: their order, texts, icons and addresses. */
export function ServicesEditor({ document: services, onChange, problems }: ServicesEditorProps) {
  const { items } = services;
  const addDialog = useRef<HTMLDialogElement>(null);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  /** Services that were added since the editor was opened, so that no visitor knows their pages. */
  const [added, setAdded] = useState<ReadonlySet<string>>(new Set());
  const [deleting, setDeleting] = useState<Service | null>(null);
  const rows = useRows({
    rows: items,
    onChange: (next) => onChange({ ...services, items: next }),
    nameOf: ({ title }, index) => title || `Service ${index + 1}`,
  });

  function add(slug: string, title: string) {
    setAdded(new Set(added).add(slug));
    setOpen(new Set(open).add(slug));
    rows.add(newService(slug, title), (service) => onChange(addService(services, service)));
  }

  function toggle(slug: string) {
    const next = new Set(open);
    if (!next.delete(slug)) next.add(slug);
    setOpen(next);
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
    <ServiceProblemsContext value={problems}>
      {items.length === 0 ? (
        <p className="rounded-md border border-line bg-surface p-6 text-center">
          There are no services. Pages leave out what would show them.
        </p>
      ) : (
        <ol ref={rows.list} aria-label="Services" className="space-y-3">
          {items.map((service, index) => (
            <ServiceItem
              key={rows.keys[index]}
              service={service}
              index={index}
              count={items.length}
              open={open.has(service.slug)}
              onToggle={() => toggle(service.slug)}
              onMove={(by) => rows.move(index, by)}
              onHide={(hidden) => hide(service, hidden)}
              onDelete={() => setDeleting(service)}
              onChange={(changes) => onChange(changeService(services, service.slug, changes))}
            />
          ))}
        </ol>
      )}
      {problems.items && <p className="mt-2 text-sm font-medium text-danger">{problems.items}</p>}
      <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2">
        <button
          ref={rows.addButton}
          type="button"
          disabled={items.length >= maxServices}
          onClick={() => addDialog.current?.showModal()}
          className={buttonClass("secondary", "small")}
        >
          <Icon drawing={Plus} className="size-4" />
          Add service
        </button>
        <span className="text-sm text-muted">
          {items.length} of at most {maxServices}
        </span>
      </div>
      <RedirectsField services={services} onChange={onChange} />
      <p role="status" className="sr-only">
        {rows.announcement}
      </p>
      <AddServiceDialog ref={addDialog} services={services} onAdd={add} />
      {deleting && (
        <DeleteServiceDialog
          service={deleting}
          targets={redirectTargets(services, deleting.slug)}
          needsRedirect={!added.has(deleting.slug)}
          onDelete={(to) => remove(deleting, to)}
          onCancel={() => setDeleting(null)}
        />
      )}
    </ServiceProblemsContext>
  );
}
