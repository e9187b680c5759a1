import { ChevronLeft, ChevronRight, type IconNode, Pause, Play } from "lucide";
import { Children, type ReactNode, useEffect, useState } from "react";
import { Icon } from "./icon.ts";
import { useCarouselEngine } from "./use-carousel-engine.ts";
import { useMediaQuery } from "./use-media-query.ts";

interface CarouselProps {
  label: string;
  /** Time between slides in milliseconds. */
  interval: number;
  children: ReactNode;
}

/**
 * A looping row of 1, 2 or 3 slides by screen width (section 9). It moves on by itself, rests under
 * the pointer and while the focus is inside, goes on afterwards, and stands still where less motion
 * is asked for. Before any script runs it is a row that scrolls sideways.
 */
export function Carousel({ label, interval, children }: CarouselProps) {
  const lessMotion = useMediaQuery("(prefers-reduced-motion: reduce)");
  const [viewport, engine] = useCarouselEngine(lessMotion);
  // What the visitor asked for with the button; null: as the system's motion setting says.
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

  /** Turns to the slide that the keyboard has come to, when it is not wholly in sight. */
  function show(target: Element) {
    const row = viewport.current;
    const index = engine?.slideNodes().findIndex((slide) => slide.contains(target)) ?? -1;
    const slide = engine?.slideNodes()[index];
    if (!row || !slide) return;
    // The browser scrolls a row to what gets the focus; the engine moves it by other means.
    row.scrollLeft = 0;
    const { left, right } = row.getBoundingClientRect();
    const place = slide.getBoundingClientRect();
    if (place.left < left - 1 || place.right > right + 1) engine?.scrollTo(index, true);
  }

  const slides = Children.toArray(children);
  return (
    <section
      aria-roledescription="carousel"
      aria-label={label}
      className="mt-8"
      // A finger leaves no pointer behind, though the browser pretends so for mouse events.
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
        // A row that scrolls has to be reached by the keyboard; the engine's own needs no scrolling.
        {...(!engine && { role: "group", "aria-label": `${label}, in a row`, tabIndex: 0 })}
        data-slides
        // Positioned, so that hidden labels inside a slide are clipped with it and can't widen the page.
        className={`relative -mx-3 py-2 ${engine ? "overflow-hidden" : "snap-x snap-mandatory overflow-x-auto"}`}
      >
        <ul
          className="flex touch-pan-y touch-pinch-zoom has-[details[open]]:items-start"
          aria-live={playing ? "off" : "polite"}
        >
          {slides.map((slide, index) => (
            <li
              // biome-ignore lint/suspicious/noArrayIndexKey: a slide is its place in the row.
              key={index}
              aria-roledescription="slide"
              aria-label={`${index + 1} of ${slides.length}`}
              className="min-w-0 shrink-0 basis-full snap-start px-3 md:basis-1/2 lg:basis-1/3"
            >
              {slide}
            </li>
          ))}
        </ul>
      </div>
      <div className="mt-6 flex gap-2">
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
