import { ArrowLeft, Eye } from "lucide";
import { type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from "react";
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

export const homePage: PreviewPage = { label: "Home", path: "/" };
const services: PreviewPage = { label: "All services", path: "/services" };
const footer: PreviewPage = { label: "Footer", path: "/contact", anchor: "end" };
const contact: PreviewPage = { label: "Contact", path: "/contact" };
const testimonials: PreviewPage = { label: "Testimonials", path: "/testimonials" };
const blog: PreviewPage = { label: "Blog", path: "/blog" };
const calculators: PreviewPage = { label: "Savings Calculator", path: "/savings-calculator" };

/** Empty for settings that no page shows. */
const pagesOf: Readonly<Record<SectionName, readonly PreviewPage[]>> = {
  firm: [homePage, { ...footer }],
  look: [homePage, { ...footer }],
  adviser: [{ ...homePage, label: "Your message", anchor: "about" }],
  contact: [contact, { ...footer }],
  mail: [],
  licenses: [footer],
  disclosures: [{ ...footer }, { ...testimonials }, { ...calculators }, { ...contact }],
  pages: [homePage, footer, { ...calculators }],
  home: [homePage],
  services: [services, { ...homePage, anchor: "services" }],
  blog: [blog],
  testimonials: [testimonials],
  calculators: [calculators],
  notice: [homePage],
  site: [],
};

const searchPages: Readonly<Record<SearchPage, PreviewPage>> = {
  home: homePage,
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

const wide = "(min-width: 75rem)";

function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const media = window.matchMedia(query);
      media.addEventListener("change", onChange);
      return () => media.removeEventListener("change", onChange);
    },
    () => window.matchMedia(query).matches,
  );
}

interface BesidePreviewProps extends Pick<PreviewProps, "pages" | "site"> {
  /** @param button that opens the preview, where there is no space beside the form */
  children: (button: ReactNode) => ReactNode;
}

/** A form with the preview beside it, as tall as the window. Without pages, the form alone. */
export function BesidePreview({ pages, site, children }: BesidePreviewProps) {
  const isWide = useMedia(wide);
  const [isOpen, setOpen] = useState(false);
  if (pages.length === 0) return children(null);
  const button = !isWide && (
    <Button onClick={() => setOpen(true)}>
      <Icon drawing={Eye} className="size-4" />
      Preview
    </Button>
  );
  return (
    <div className="min-[75rem]:grid min-[75rem]:grid-cols-[clamp(37.5rem,45%,46rem)_minmax(0,1fr)]">
      <div className="min-w-0">{children(button)}</div>
      {isWide && (
        <section
          aria-label="Preview"
          className="sticky top-0 flex h-dvh flex-col self-start border-l border-line bg-sand p-5"
        >
          <Preview {...{ pages, site }} />
        </section>
      )}
      {isOpen && !isWide && <PreviewDialog {...{ pages, site }} onClose={() => setOpen(false)} />}
    </div>
  );
}

/** The site's own pages with the draft, in a window of its own (preview-frame.ts). Pages that are switched off have none. */
export function Preview({ pages: all, site, onClose }: PreviewProps) {
  const published = useSite();
  const pages = all.filter(({ path }) => !isClosed(site, path) && !isClosed(published, path));
  const [chosen, setChosen] = useState("");
  const [screen, setScreen] = useState(() =>
    window.matchMedia("(min-width: 90rem)").matches ? "Computer" : "Phone",
  );
  const [version, setVersion] = useState("Light");
  // Another field can switch the chosen page off.
  const page = pages.find(({ label }) => label === chosen) ?? pages[0];
  if (!page) return null;
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h2 className="sr-only">Preview</h2>
        {onClose && (
          <Button onClick={onClose}>
            <Icon drawing={ArrowLeft} className="size-4" />
            Back to the form
          </Button>
        )}
        <Choice
          label="Page"
          options={pages.map(({ label }) => label)}
          chosen={page.label}
          onChoose={setChosen}
        />
        <div className="ml-auto flex flex-wrap gap-2">
          {site.hasDark && (
            <Choice
              label="Version"
              options={["Light", "Dark"]}
              chosen={version}
              onChoose={setVersion}
            />
          )}
          <Choice
            label="Screen"
            options={["Phone", "Computer"]}
            chosen={screen}
            onChoose={setScreen}
          />
        </div>
      </div>
      <Frame
        key={page.label}
        {...{ page, site }}
        isDark={site.hasDark && version === "Dark"}
        width={screen === "Phone" ? 390 : 1280}
      />
      <p className="mt-3 text-center text-sm text-muted">
        How your site looks once you publish. Links and forms do nothing here.
      </p>
    </>
  );
}

function PreviewDialog(props: PreviewProps) {
  const dialog = useOpenDialog();
  return (
    <dialog
      ref={dialog}
      aria-label="Preview"
      onClose={props.onClose}
      className="m-0 h-dvh max-h-none w-screen max-w-none flex-col bg-sand p-4 text-ink open:flex"
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
    <fieldset
      aria-label={label}
      className="flex flex-wrap gap-0.5 rounded-md border border-line bg-surface p-0.5"
    >
      {options.map((option) => (
        <button
          key={option}
          type="button"
          aria-pressed={option === chosen}
          onClick={() => onChoose(option)}
          className="min-h-8 rounded-sm px-3 text-sm font-medium text-muted hover:bg-sand aria-pressed:bg-evergreen aria-pressed:text-paper"
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
  // The whole width of the page is seen.
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
      style={{ maxWidth: width }}
      className="relative mx-auto mt-4 min-h-0 w-full flex-1 overflow-hidden rounded-lg bg-surface shadow-lift"
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
          width,
          height: `${100 / scale}%`,
          transform: `scale(${scale})`,
        }}
      />
    </div>
  );
}
