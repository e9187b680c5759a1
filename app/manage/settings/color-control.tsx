import { derivePalette } from "../../config/palette.ts";
import { sectionSchemas } from "../../config/site-schema.ts";
import { Button } from "../button.tsx";
import { FieldFrame, type FieldProps, useControl, useForm } from "./field-frame.tsx";

/** The colors of tokens.css, which apply where the palette has none. */
const defaults = {
  light: { paper: "#fbf8f3", evergreen: "#1e4a40", clay: "#96401b" },
  dark: { paper: "#101614", evergreen: "#9fd0b9", clay: "#eda57f" },
};
const hex = /^#[0-9a-f]{6}$/;

export function ColorControl({ info, path, value, onChange }: FieldProps<string | null>) {
  const { document } = useForm();
  const control = useControl(path);
  const isMain = path === "mainColor";
  const { background } = sectionSchemas.look.shape;
  const palette = derivePalette(
    ...([validColor(document.mainColor), validColor(document.accentColor)] as const),
    background.safeParse(document.background).data,
  );
  const schemes = {
    light: { ...defaults.light, ...palette.light },
    dark: { ...defaults.dark, ...palette.dark },
  };
  const token = isMain ? "evergreen" : "clay";
  const shown = validColor(value) ?? schemes.light[token];
  return (
    <FieldFrame
      path={path}
      label={info.label}
      help={info.help}
      optional
      note={
        <Contrast
          schemes={schemes}
          hasDark={document.darkVersion === "device"}
          token={token}
          adjusted={palette.adjusted[isMain ? "main" : "accent"]}
        />
      }
    >
      <div className="mt-1.5 flex flex-wrap items-center gap-3">
        <input
          type="color"
          aria-label={`Pick: ${info.label}`}
          value={shown}
          onChange={(event) => onChange(event.target.value.toLowerCase())}
          className="h-12 w-16 cursor-pointer rounded-md border border-edge bg-surface p-1"
        />
        <input
          {...control}
          className={`${control.className} mt-0 !w-36 font-mono`}
          placeholder="Default"
          spellCheck={false}
          autoCapitalize="off"
          value={value ?? ""}
          onChange={(event) => onChange(event.target.value.toLowerCase() || null)}
          onBlur={() => {
            if (value && /^[0-9a-f]{6}$/.test(value)) onChange(`#${value}`);
            control.onBlur();
          }}
        />
        {value !== null && (
          <Button
            of={info.label.toLowerCase()}
            onClick={() => {
              onChange(null);
              window.document.getElementById(control.id)?.focus();
            }}
          >
            Use the default
          </Button>
        )}
      </div>
    </FieldFrame>
  );
}

function validColor(value: unknown): string | null {
  return typeof value === "string" && hex.test(value) ? value : null;
}

interface ContrastProps {
  schemes: { light: typeof defaults.light; dark: typeof defaults.dark };
  hasDark: boolean;
  token: "evergreen" | "clay";
  adjusted: boolean;
}

function Contrast({ schemes, hasDark, token, adjusted }: ContrastProps) {
  return (
    <div>
      <ul className="flex flex-wrap gap-x-5 gap-y-1">
        {(["light", ...(hasDark ? ["dark" as const] : [])] as const).map((scheme) => (
          <li key={scheme} className="flex items-center gap-2">
            <span
              aria-hidden="true"
              className="flex size-6 items-center justify-center rounded-sm border border-line"
              style={{ background: schemes[scheme].paper }}
            >
              <span
                className="size-3 rounded-full"
                style={{ background: schemes[scheme][token] }}
              />
            </span>
            <span>{scheme === "light" ? "On light pages" : "In the dark version"}</span>
          </li>
        ))}
      </ul>
      {adjusted && (
        <p className="mt-1">
          Your site shows it in a somewhat different shade, so that text stays readable.
        </p>
      )}
    </div>
  );
}
