import { useSyncExternalStore } from "react";

/** Says quietly that the browser has no connection, for as long as it has none. */
export function OfflineNotice() {
  const online = useSyncExternalStore(subscribe, isOnline, () => true);
  return (
    <p role="status">
      {!online && (
        <span className="block border-t border-line bg-clay-soft px-5 py-2 text-center text-sm">
          You are offline. This page stays readable; what changes elsewhere arrives later.
        </span>
      )}
    </p>
  );
}

function subscribe(onChange: () => void): () => void {
  window.addEventListener("online", onChange);
  window.addEventListener("offline", onChange);
  return () => {
    window.removeEventListener("online", onChange);
    window.removeEventListener("offline", onChange);
  };
}

function isOnline(): boolean {
  return navigator.onLine;
}
