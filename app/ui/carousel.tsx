import type { EmblaCarouselType } from "embla-carousel";
import { ChevronLeft, ChevronRight, type IconNode, Play } from "lucide";
import {
  Children,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { loadModule } from "../loading/load-module.ts";
import { Icon } from "./icon.ts";

interface CarouselProps {
  label: string;
  /** Time between slides in milliseconds. */
  interval: number;
  children: ReactNode;
}

/**
 * A looping row of 1, 2 or 3 slides by screen width; a single slide does not move. It advances automatically, pauses while
 * it is hovered or has the keyboard focus, and does not start under reduced motion. Without scripts it is a row that
 * scrolls sideways.
 */
export function Carousel({ label, interval, children }: CarouselProps) {
  const lessMotion = useReducedMotion();
  const [viewport, engine] = useCarouselEngine(lessMotion);
  // Set by the play button; null: follow the system's motion setting.
  const [wanted, setWanted] = useState<boolean | null>(null);
  const [hovered, setHovered] = useState(false);
  const [focused, setFocused] = useState(false);
  const [held, setHeld] = useState(false);
  const playing = wanted ?? !lessMotion;
  const resting = hovered || focused || held;

  useEffect(() => {
    if (!engine || !playing || resting) return;
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") engine.scrollNext();
    }, interval);
    return () => clearInterval(timer);
  }, [engine, playing, resting, interval]);

  useEffect(() => {
    if (!engine) return;
    const hold = () => setHeld(true);
    const release = () => setHeld(false);
    engine.on("pointerDown", hold).on("pointerUp", release);
    return () => {
      engine.off("pointerDown", hold).off("pointerUp", release);
    };
  }, [engine]);

  function turn(by: 1 | -1) {
    if (engine) return by > 0 ? engine.scrollNext() : engine.scrollPrev();
    const width = viewport.current?.querySelector("li")?.offsetWidth ?? 0;
    viewport.current?.scrollBy({ left: by * width, behavior: lessMotion ? "auto" : "smooth" });
  }

  /** Scrolls to the slide that received the keyboard focus, unless it is fully visible. */
  function show(target: Element) {
    const row = viewport.current;
    const index = engine?.slideNodes().findIndex((slide) => slide.contains(target)) ?? -1;
    const slide = engine?.slideNodes()[index];
    if (!row || !slide) return;
    // Undoes the browser's own scrolling to the focused element: the engine uses transforms.
    row.scrollLeft = 0;
    const { left, right } = row.getBoundingClientRect();
    const place = slide.getBoundingClientRect();
    if (place.left < left - 1 || place.right > right + 1) engine?.scrollTo(index, true);
  }

  const slides = Children.toArray(children);
  if (slides.length === 1)
    return <div className="mt-8 max-w-2xl has-[article]:max-w-none">{slides}</div>;
  return (
    <section
      aria-roledescription="carousel"
      aria-label={label}
      className="mt-8"
      // A touch must not count as hovering: browsers emulate mouse events for it.
      onPointerEnter={(event) => setHovered(event.pointerType !== "touch")}
      onPointerLeave={() => setHovered(false)}
      onFocus={({ target }) => {
        const byKeyboard = target.matches(":focus-visible");
        setFocused(byKeyboard);
        if (byKeyboard) show(target);
      }}
      onBlur={() => setFocused(false)}
    >
      <div
        ref={viewport}
        // A scrollable row must be focusable for keyboard users; with the engine it does not scroll.
        {...(!engine && { role: "group", "aria-label": `${label}, in a row`, tabIndex: 0 })}
        data-slides
        // Positioned, so that it clips visually hidden labels, which would otherwise widen the page.
        className={`relative -mx-3 py-2 ${engine ? "overflow-hidden" : "snap-x snap-mandatory overflow-x-auto"}`}
      >
        <ul
          className="flex touch-pan-y touch-pinch-zoom has-[details[open]]:items-start"
          aria-live={playing ? "off" : "polite"}
        >
          {slides.map((slide, index) => (
            <li
              // biome-ignore lint/suspicious/noArrayIndexKey: slides may have no id, and keep their places.
              key={index}
              aria-roledescription="slide"
              aria-label={`${index + 1} of ${slides.length}`}
              className={`min-w-0 shrink-0 basis-full snap-start px-3 md:basis-1/2 ${slides.length > 2 ? "lg:basis-1/3" : ""}`}
            >
              {slide}
            </li>
          ))}
        </ul>
      </div>
      {/* Hidden where all slides are in view. */}
      <div className={`mt-6 flex gap-2 ${["", "", "md:hidden", "lg:hidden"][slides.length] ?? ""}`}>
        <CarouselButton
          label={`${playing ? "Pause" : "Play"}: ${label}`}
          onClick={() => setWanted(!playing)}
          icon={playing ? Pause : Play}
        />
        <CarouselButton
          label={`Previous slide: ${label}`}
          onClick={() => turn(-1)}
          icon={ChevronLeft}
        />
        <CarouselButton
          label={`Next slide: ${label}`}
          onClick={() => turn(1)}
          icon={ChevronRight}
        />
      </div>
    </section>
  );
}

/** Two bars. Lucide's are outlined boxes, which do not read as a pause at this size. */
const Pause: IconNode = [["path", { d: "M9 6v12M15 6v12", strokeWidth: 2.5 }]];

interface CarouselButtonProps {
  label: string;
  onClick: () => void;
  icon: IconNode;
}

function CarouselButton({ label, onClick, icon }: CarouselButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      onClick={onClick}
      className="flex size-11 items-center justify-center rounded-full border border-edge bg-surface text-evergreen transition-colors hover:border-evergreen"
    >
      <Icon drawing={icon} className="size-5" />
    </button>
  );
}

/**
 * Makes a row of slides loop and follow touch. The engine's code is loaded when the row comes near the
 * viewport; until then, and if loading fails, the row scrolls sideways.
 */
function useCarouselEngine(
  lessMotion: boolean,
): [viewport: RefObject<HTMLDivElement | null>, engine: EmblaCarouselType | null] {
  const viewport = useRef<HTMLDivElement>(null);
  const [engine, setEngine] = useState<EmblaCarouselType | null>(null);

  useEffect(() => {
    const row = viewport.current;
    if (!row) return;
    let ended = false;
    let started: EmblaCarouselType | undefined;
    // The browser's scrolling to a focused element would add to the engine's transform.
    const unscroll = () => {
      row.scrollLeft = 0;
    };

    async function start(element: HTMLElement) {
      const { default: EmblaCarousel } = await loadModule(() => import("embla-carousel"));
      if (ended) return;
      const slide = element.querySelector("li");
      // Keeps the slide to which the visitor has scrolled.
      const startIndex = Math.round(element.scrollLeft / (slide?.offsetWidth || 1));
      element.scrollLeft = 0;
      started = EmblaCarousel(element, {
        loop: true,
        align: "start",
        // Embla follows the focus only within 10 ms of a Tab, which is too short on a busy machine.
        watchFocus: false,
        duration: lessMotion ? 0 : 25,
        startIndex,
      });
      element.addEventListener("scroll", unscroll);
      setEngine(started);
    }

    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        observer.disconnect();
        start(row).catch((error) => console.error("Loading the carousel failed", error));
      },
      { rootMargin: "50%" },
    );
    observer.observe(row);
    return () => {
      ended = true;
      observer.disconnect();
      row.removeEventListener("scroll", unscroll);
      started?.destroy();
      setEngine(null);
    };
  }, [lessMotion]);

  return [viewport, engine];
}

/** Returns false during server rendering. */
function useReducedMotion(): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const query = window.matchMedia(reducedMotion);
      query.addEventListener("change", onChange);
      return () => query.removeEventListener("change", onChange);
    },
    () => window.matchMedia(reducedMotion).matches,
    () => false,
  );
}

const reducedMotion = "(prefers-reduced-motion: reduce)";
