import { Suspense, useState, useSyncExternalStore } from "react";
import { lazyPart } from "../loading/lazy-part.tsx";
import { latestToast, subscribeToToasts, type Toast } from "./toast.ts";

const ToastRegion = lazyPart(() => import("./toast-region.tsx"), PlainToast);

/** Renders toasts. Most of its code is loaded with the first toast. */
export function Toaster() {
  const toast = useSyncExternalStore(subscribeToToasts, latestToast, () => null);
  if (!toast) return null;
  return (
    <Suspense>
      <ToastRegion toast={toast} />
    </Suspense>
  );
}

/** Fallback while the code of the toasts can't be loaded. Stays until it is closed. */
function PlainToast({ toast }: { toast: Toast }) {
  const [closed, setClosed] = useState<Toast>();
  if (closed === toast) return null;
  return (
    <div
      role="alert"
      className="fixed right-4 bottom-4 z-50 w-[min(24rem,calc(100vw-2rem))] rounded-md border border-line bg-surface p-4 shadow-lift"
    >
      <p className="leading-snug font-semibold">{toast.title}</p>
      <p className="mt-0.5 text-sm text-muted">{toast.description}</p>
      {toast.action && (
        <button
          type="button"
          className="mt-2 mr-4 text-sm underline"
          onClick={() => {
            setClosed(toast);
            toast.action?.onAction();
          }}
        >
          {toast.action.label}
        </button>
      )}
      <button type="button" className="mt-2 text-sm underline" onClick={() => setClosed(toast)}>
        Close
      </button>
    </div>
  );
}
