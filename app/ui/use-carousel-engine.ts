import type { EmblaCarouselType } from "embla-carousel";
import { type RefObject, useEffect, useRef, useState } from "react";
import { loadModule } from "../loading/load-module.ts";

/**
 * Makes a row of slides loop and follow the finger. The code for that is loaded when the row comes
 * near the screen; until then, and without it, the row scrolls sideways.
 */
export function useCarouselEngine(
  lessMotion: boolean,
): [viewport: RefObject<HTMLDivElement | null>, engine: EmblaCarouselType | null] {
  const viewport = useRef<HTMLDivElement>(null);
  const [engine, setEngine] = useState<EmblaCarouselType | null>(null);

  useEffect(() => {
    const row = viewport.current;
    if (!row) return;
    let ended = false;
    let started: EmblaCarouselType | undefined;
    // The browser scrolls to what gets the focus, on top of where the engine has moved it.
    const unscroll = () => {
      row.scrollLeft = 0;
    };

    async function start(element: HTMLElement) {
      const { default: EmblaCarousel } = await loadModule(() => import("embla-carousel"));
      if (ended) return;
      const slide = element.querySelector("li");
      // Who scrolled meanwhile stays at that slide.
      const startIndex = Math.round(element.scrollLeft / (slide?.offsetWidth || 1));
      element.scrollLeft = 0;
      started = EmblaCarousel(element, {
        loop: true,
        align: "start",
        // Its own way heeds a Tab for 10 ms only: on a busy machine the focus stays out of sight.
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
        // Offline the row stays one that scrolls.
        start(row).catch((error) => console.error("A carousel can't turn", error));
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
