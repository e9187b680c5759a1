import { Eye, EyeOff, Trash2 } from "lucide";
import { useId } from "react";
import { iconShapes } from "../../config/site-icons.ts";
import type { Service } from "../../config/site-schema.ts";
import { Icon } from "../../ui/icon.ts";
import { RowButton, RowHeader, RowNote } from "./row-header.tsx";
import { ServiceForm } from "./service-form.tsx";
import { useProblemCount } from "./service-problems.ts";

interface ServiceItemProps {
  service: Service;
  index: number;
  count: number;
  open: boolean;
  onToggle: () => void;
  onMove: (by: 1 | -1) => void;
  onHide: (hidden: boolean) => void;
  onDelete: () => void;
  onChange: (changes: Partial<Service>) => void;
}

/** A service in the list; its form opens below it. */
export function ServiceItem(props: ServiceItemProps) {
  const { service, index, count, open, onToggle, onMove, onHide, onDelete, onChange } = props;
  const panelId = useId();
  const path = `items[${index}]`;
  const problems = useProblemCount(path);
  const name = service.title || `Service ${index + 1}`;
  return (
    <li className="rounded-md border border-line bg-surface px-4 py-1">
      <RowHeader
        name={name}
        index={index}
        count={count}
        onMove={onMove}
        disclosure={{ open, panelId, onToggle }}
        icon={
          <Icon
            drawing={iconShapes[service.icon]}
            strokeWidth={1.5}
            className={`size-6 shrink-0 ${service.hidden ? "text-muted" : "text-clay"}`}
          />
        }
        notes={
          <>
            {service.hidden && <RowNote>Hidden</RowNote>}
            {problems > 0 && <RowNote danger>{problems} to correct</RowNote>}
          </>
        }
      >
        <RowButton
          label={service.hidden ? `Show ${name} on the site` : `Hide ${name} on the site`}
          drawing={service.hidden ? EyeOff : Eye}
          onClick={() => onHide(!service.hidden)}
        />
        <RowButton label={`Delete ${name}`} drawing={Trash2} onClick={onDelete} />
      </RowHeader>
      <div id={panelId}>
        {open && <ServiceForm path={path} service={service} onChange={onChange} />}
      </div>
    </li>
  );
}
