import { useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";

/** Says the next page's title to who can't see that it changed: no new document does it here. */
export function PageAnnouncer() {
  const { pathname, search } = useLocation();
  const path = pathname + search;
  const previousPath = useRef(path);
  const [title, setTitle] = useState("");

  useEffect(() => {
    if (previousPath.current === path) return;
    previousPath.current = path;
    setTitle(document.title);
  }, [path]);

  return (
    <p aria-live="polite" className="sr-only">
      {title}
    </p>
  );
}
