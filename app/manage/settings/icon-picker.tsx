import { useId } from "react";
import { iconShapes } from "../../config/site-icons.ts";
import { type Service, serviceIcons } from "../../config/site-schema.ts";
import { Icon } from "../../ui/icon.ts";
import { iconNames } from "./service-icon-names.ts";

interface IconPickerProps {
  value: Service["icon"];
  onChange: (icon: Service["icon"]) => void;
}

/** All icons for services, of which one is chosen. */
export function IconPicker({ value, onChange }: IconPickerProps) {
  const name = useId();
  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">Icon</legend>
      <div className="grid grid-cols-[repeat(auto-fill,minmax(5.75rem,1fr))] gap-2">
        {serviceIcons.map((icon) => (
          <label
            key={icon}
            className="flex flex-col items-center justify-start gap-1 rounded-md border border-line px-1 py-2 text-center text-sm leading-tight hover:border-evergreen has-checked:border-evergreen has-checked:bg-sage has-checked:font-semibold has-focus-visible:outline-3 has-focus-visible:outline-clay has-focus-visible:outline-offset-2"
          >
            <input
              type="radio"
              name={name}
              value={icon}
              checked={icon === value}
              onChange={() => onChange(icon)}
              className="sr-only"
            />
            <Icon
              drawing={iconShapes[icon]}
              strokeWidth={1.5}
              className="size-7 shrink-0 text-clay"
            />
            {iconNames[icon]}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
