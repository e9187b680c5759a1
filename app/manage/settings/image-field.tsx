import type { SiteImage } from "../../config/site-schema.ts";
import { buttonClass } from "../../ui/button.ts";

interface ImageFieldProps {
  label: string;
  help: string;
  value: SiteImage | null;
  onChange: (value: SiteImage | null) => void;
  /** Width divided by height. */
  aspect?: number;
  /** In pixels. */
  minWidth?: number;
  askAlt?: boolean;
}

/** An image of the settings. */
export function ImageField({ label, help, value, onChange }: ImageFieldProps) {
  return (
    <fieldset>
      <legend className="text-sm font-semibold">{label}</legend>
      <p className="text-sm text-muted">{help}</p>
      {value ? (
        <div className="mt-2 flex items-center gap-4">
          <img src={value.src} alt={value.alt} className="h-24 rounded-md border border-line" />
          <button
            type="button"
            className={buttonClass("secondary", "small")}
            onClick={() => onChange(null)}
          >
            Remove<span className="sr-only"> {label.toLowerCase()}</span>
          </button>
        </div>
      ) : (
        <p className="mt-2 text-sm">No image.</p>
      )}
    </fieldset>
  );
}
