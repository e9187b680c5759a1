import { lazy, Suspense, useSyncExternalStore } from "react";
import { latestToast, subscribeToToasts } from "./toast.ts";

const ToastRegion = lazy(() => import("./toast-region.tsx"));

/** Where notices appear. Its code arrives with the first notice. */
export function Toaster() {
  const toast = useSyncExternalStore(subscribeToToasts, latestToast, () => null);
  if (!toast) return null;
  return (
    <Suspense>
      <ToastRegion toast={toast} />
    </Suspense>
  );
}
