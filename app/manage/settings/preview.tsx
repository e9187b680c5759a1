import { Eye, EyeOff } from "lucide";
import { useEffect, useRef, useState } from "react";
import type { SectionName } from "../../config/site-schema.ts";
import type { Site } from "../../config/use-site.ts";
import { Icon } from "../../ui/icon.ts";
import { Button } from "../button.tsx";
import { type PreviewMessage, previewReady } from "./preview-message.ts";

/** A page that shows a section's settings. */
interface PreviewPage {
  label: string;
  path: string;
  /** The id of the element that the preview scrolls to. */
  anchor?: string;
}

const home: PreviewPage = { label: "Home", path: "/" };
const footer: PreviewPage = { label: "Footer", path: "/contact", anchor: "end" };
const contact: PreviewPage = { label: "Contact", path: "/contact" };
const services: PreviewPage = { label: "Services", path: "/services" };
const testimonials: PreviewPage = { label: "Testimonials", path: "/testimonials" };
const blog: PreviewPage = { label: "Blog", path: "/blog" };
const calculators: PreviewPage = { label: "Calculators", path: "/savings-calculator" };

/** The pages; empty for settings that no page shows. */
export const pagesOf: Readonly<Record<SectionName, readonly PreviewPage[]>> = {
  firm: [home, footer],
  adviser: [{ ...home, label: "Your message", anchor: "about" }],
  contact: [contact, footer],
  mail: [],
  licenses: [footer],
  disclosures: [footer, testimonials, calculators, contact],
  pages: [home, footer],
  home: [home],
  services: [services, { ...home, label: "Home", anchor: "services" }],
  blog: [blog],
  testimonials: [testimonials],
  site: [],
};

interface PreviewProps {
  pages: readonly PreviewPage[];
  site: Site;
}

/** Widths of the framed page, in pixels. */
const widths = { Phone: 390, Computer: 1280 } as const;
type Screen = keyof typeof widths;

/** The site's own page with the draft, in a window of its own (preview-frame.ts). */
export function Preview({ pages, site }: PreviewProps) {
  const [open, setOpen] = useState(() => window.matchMedia("(min-width: 64rem)").matches);
  const [page, setPage] = useState(pages[0]);
  const [screen, setScreen] = useState<Screen>("Phone");
  if (!page) return null;
  return (
    <section aria-label="Preview" className="lg:sticky lg:top-24">
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="mr-auto font-sans text-base font-semibold">Preview</h2>
        <Button of="preview" aria-expanded={open} onClick={() => setOpen(!open)}>
          <Icon drawing={open ? EyeOff : Eye} className="size-4" />
          {open ? "Hide" : "Show"}
        </Button>
      </div>
      {open && (
        <>
          <div className="mt-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <Choice
              label="Page"
              options={pages.map(({ label }) => label)}
              chosen={page.label}
              onChoose={(label) => setPage(pages.find((other) => other.label === label))}
            />
            <Choice
              label="Screen"
              options={Object.keys(widths)}
              chosen={screen}
              onChoose={(name) => setScreen(name === "Phone" ? "Phone" : "Computer")}
            />
          </div>
          <Frame key={page.label} page={page} site={site} width={widths[screen]} />
          <p className="mt-2 text-sm text-muted">
            With all your drafts. Only you see this; its links and forms do nothing.
          </p>
        </>
      )}
    </section>
  );
}

interface ChoiceProps {
  label: string;
  options: readonly string[];
  chosen: string;
  onChoose: (option: string) => void;
}

function Choice({ label, options, chosen, onChoose }: ChoiceProps) {
  if (options.length < 2) return null;
  return (
    <fieldset aria-label={label} className="flex flex-wrap gap-1">
      {options.map((option) => (
        <button
          key={option}
          type="button"
          aria-pressed={option === chosen}
          onClick={() => onChoose(option)}
          className="min-h-8 rounded-full px-3 text-sm text-muted hover:bg-sand aria-pressed:bg-sage aria-pressed:font-semibold aria-pressed:text-evergreen"
        >
          {option}
        </button>
      ))}
    </fieldset>
  );
}

interface FrameProps {
  page: PreviewPage;
  site: Site;
  /** The size of the framed page, which is scaled to the space. */
  width: number;
}

function Frame({ page, site, width }: FrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const [isReady, setReady] = useState(false);
  const [space, setSpace] = useState(width);
  // A page that is narrower than the space fills it.
  const scale = Math.min(1, space / width);

  useEffect(() => {
    function onMessage({ origin, source, data }: MessageEvent) {
      if (origin !== window.location.origin || data !== previewReady) return;
      if (source === frame.current?.contentWindow) setReady(true);
    }
    window.addEventListener("message", onMessage);
    return () => window.removeEventListener("message", onMessage);
  }, []);

  useEffect(() => {
    if (!isReady) return;
    const message: PreviewMessage = { site, anchor: page.anchor };
    frame.current?.contentWindow?.postMessage(message, window.location.origin);
  }, [isReady, site, page.anchor]);

  useEffect(() => {
    if (!box.current) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setSpace(entry.contentRect.width);
    });
    observer.observe(box.current);
    return () => observer.disconnect();
  }, []);

  return (
    <div
      ref={box}
      className="relative mt-3 h-[70vh] max-h-[44rem] overflow-hidden rounded-lg border border-line bg-paper"
    >
      {!isReady && (
        <p role="status" className="p-6 text-muted">
          Loading preview...
        </p>
      )}
      <iframe
        ref={frame}
        // preview-frame.ts runs in windows of this name.
        name="settings-preview"
        title={`Preview of ${page.label}`}
        src={page.path}
        className={`absolute top-0 left-0 origin-top-left ${isReady ? "" : "invisible"}`}
        style={{
          width: Math.max(width, space),
          height: `${100 / scale}%`,
          transform: `scale(${scale})`,
        }}
      />
    </div>
  );
}
