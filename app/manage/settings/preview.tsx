import { Eye, EyeOff, Pencil } from "lucide";
import { useEffect, useRef, useState } from "react";
import type { SearchPage } from "../../config/search-results.ts";
import type { SectionName } from "../../config/site-schema.ts";
import { isClosed, type Site, useRootData, useSite } from "../../config/use-site.ts";
import { SearchResult } from "../../seo/search-result.tsx";
import { useOpenDialog } from "../../ui/dialog.tsx";
import { Icon } from "../../ui/icon.ts";
import { Button } from "../button.tsx";
import { useForm } from "./field-frame.tsx";
import { type PreviewMessage, previewReady } from "./preview-message.ts";

interface PreviewPage {
  label: string;
  path: string;
  /** The id of the element that the preview scrolls to at first. */
  anchor?: string;
}

const home: PreviewPage = { label: "Home", path: "/" };
const services: PreviewPage = { label: "All services", path: "/services" };
const footer: PreviewPage = { label: "Footer", path: "/contact", anchor: "end" };
const contact: PreviewPage = { label: "Contact", path: "/contact" };
const testimonials: PreviewPage = { label: "Testimonials", path: "/testimonials" };
const blog: PreviewPage = { label: "Blog", path: "/blog" };
const calculators: PreviewPage = { label: "Savings Calculator", path: "/savings-calculator" };

/** Empty for settings that no page shows. */
const pagesOf: Readonly<Record<SectionName, readonly PreviewPage[]>> = {
  firm: [home, { ...footer }],
  look: [home, { ...footer }],
  adviser: [{ ...home, label: "Your message", anchor: "about" }],
  contact: [contact, { ...footer }],
  mail: [],
  licenses: [footer],
  disclosures: [{ ...footer }, { ...testimonials }, { ...calculators }, { ...contact }],
  pages: [home, footer, { ...calculators }],
  home: [home],
  services: [services, { ...home, anchor: "services" }],
  blog: [blog],
  testimonials: [testimonials],
  calculators: [calculators],
  notice: [home],
  site: [],
};

const searchPages: Readonly<Record<SearchPage, PreviewPage>> = {
  home,
  services,
  testimonials,
  blog,
  calculators,
  contact,
};

/** A page as search engines list it, with what is used in place of empty fields. Nothing for another object. */
export function SearchPreview({ page, name }: { page: string; name: string }) {
  const { site } = useForm();
  const root = useRootData();
  if (!root || !site || !isSearchPage(page)) return null;
  const { title, description } = site.pages[page];
  return (
    <div className="mt-5">
      <SearchResult
        label={`${name} in search results`}
        caption="In search results, with your names in place of empty fields"
        firm={site.firm.name}
        url={root.settings.siteUrl + searchPages[page].path}
        title={title}
        description={description}
      />
    </div>
  );
}

function isSearchPage(name: string): name is SearchPage {
  return name in searchPages;
}

export function previewPages(section: SectionName, { services }: Site): readonly PreviewPage[] {
  const [first] = services;
  if (section !== "services" || !first) return pagesOf[section];
  // Any published service's page shows the draft of the service that is edited (service-page.tsx).
  const page = { label: "Service", path: `/services/${first.slug}` };
  return [page, ...pagesOf.services];
}

interface PreviewProps {
  pages: readonly PreviewPage[];
  site: Site;
  /** On small screens, the preview covers the form. Closes it. */
  onClose?: () => void;
}

/** The site's own pages with the draft, in a window of its own (preview-frame.ts). Pages that are switched off have none. */
export function Preview({ pages: all, site, onClose }: PreviewProps) {
  const published = useSite();
  const pages = all.filter(({ path }) => !isClosed(site, path) && !isClosed(published, path));
  const [open, setOpen] = useState(
    () => onClose !== undefined || window.matchMedia("(min-width: 64rem)").matches,
  );
  const [chosen, setChosen] = useState("");
  const [screen, setScreen] = useState("Phone");
  const [version, setVersion] = useState("Light");
  // Another field can switch the chosen page off.
  const page = pages.find(({ label }) => label === chosen) ?? pages[0];
  if (!page) return null;
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="mr-auto font-sans text-base font-semibold">Preview</h2>
        {onClose ? (
          <Button onClick={onClose}>
            <Icon drawing={Pencil} className="size-4" />
            Back to the form
          </Button>
        ) : (
          <Button of="preview" aria-expanded={open} onClick={() => setOpen(!open)}>
            <Icon drawing={open ? EyeOff : Eye} className="size-4" />
            <span>{open ? "Hide" : "Show"}</span>
          </Button>
        )}
      </div>
      {open && (
        <>
          <div className="mt-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <Choice
              label="Page"
              options={pages.map(({ label }) => label)}
              chosen={page.label}
              onChoose={setChosen}
            />
            <Choice
              label="Screen"
              options={["Phone", "Computer"]}
              chosen={screen}
              onChoose={setScreen}
            />
            {site.hasDark && (
              <Choice
                label="Version"
                options={["Light", "Dark"]}
                chosen={version}
                onChoose={setVersion}
              />
            )}
          </div>
          <Frame
            key={page.label}
            {...{ page, site }}
            isDark={site.hasDark && version === "Dark"}
            width={screen === "Phone" ? 390 : 1280}
          />
          <p className="mt-2 text-sm text-muted">
            With all your drafts. Only you see this; its links and forms do nothing.
          </p>
        </>
      )}
    </>
  );
}

export function PreviewDialog(props: PreviewProps) {
  const dialog = useOpenDialog();
  return (
    <dialog
      ref={dialog}
      aria-label="Preview"
      onClose={props.onClose}
      className="m-0 h-dvh max-h-none w-screen max-w-none bg-paper p-4 text-ink"
    >
      <Preview {...props} onClose={() => dialog.current?.close()} />
    </dialog>
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
  isDark: boolean;
  /** Of the framed page in pixels, which is scaled to the space. */
  width: number;
}

function Frame({ page, site, isDark, width }: FrameProps) {
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
    const message: PreviewMessage = { site, isDark, anchor: page.anchor };
    frame.current?.contentWindow?.postMessage(message, window.location.origin);
  }, [isReady, site, isDark, page.anchor]);

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
      className="relative mt-3 h-[calc(100dvh-19rem)] in-[dialog]:h-[calc(100dvh-14rem)] max-h-[44rem] min-h-80 overflow-hidden rounded-lg border border-line bg-paper"
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
