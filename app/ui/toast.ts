// Separate from toaster.tsx, because code that only shows toasts must not load what renders them.
export interface ToastContent {
  title: string;
  description?: string;
  tone: "success" | "error";
  /** A button, such as 'Undo'. The same action must exist elsewhere: the toast disappears. */
  action?: { label: string; onAction: () => void };
}

/** A toast whose tone follows from the outcome. */
export type Notice = Omit<ToastContent, "tone">;

export type Toast = ToastContent & { id: number };

type Listener = () => void;
let latest: Toast | null = null;
const listeners = new Set<Listener>();

/** Shows a toast for 5 s, or 10 s with an action; it replaces the visible one. */
export function showToast(content: ToastContent): void {
  latest = { ...content, id: (latest?.id ?? 0) + 1 };
  for (const listener of listeners) listener();
}

export function subscribeToToasts(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function latestToast() {
  return latest;
}
