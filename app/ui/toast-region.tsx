import { Toast } from "@base-ui/react/toast";
import { CircleAlert, CircleCheck, X } from "lucide";
import { useEffect } from "react";
import { buttonClass } from "./button-class.ts";
import { Icon } from "./icon.ts";
import type { ToastContent, Toast as ToastNotice } from "./toast.ts";

const manager = Toast.createToastManager<{ tone: ToastContent["tone"] }>();
let shown: string | undefined;

export default function ToastRegion({ toast }: { toast: ToastNotice }) {
  useEffect(() => {
    if (shown) manager.close(shown);
    const id = String(toast.id);
    const { action } = toast;
    shown = manager.add({
      id,
      title: toast.title,
      description: toast.description,
      // Base UI hides a "high" toast from screen readers but leaves it focusable. Forms therefore announce
      // urgent errors themselves, as alerts.
      priority: "low",
      ...(action && {
        timeout: 10_000,
        actionProps: {
          children: action.label,
          onClick() {
            manager.close(id);
            action.onAction();
          },
        },
      }),
      data: { tone: toast.tone },
    });
  }, [toast]);

  // A modal dialog makes everything outside inert, so a toast is rendered inside it.
  const dialog = document.querySelector<HTMLElement>("dialog:modal");
  return (
    <Toast.Provider toastManager={manager} limit={1} timeout={5000}>
      <Toast.Portal container={dialog ?? document.body}>
        <Toast.Viewport className="toasts fixed right-4 bottom-4 z-50 w-[min(24rem,calc(100vw-2rem))]">
          <Toasts />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function Toasts() {
  const { toasts } = Toast.useToastManager<{ tone: ToastContent["tone"] }>();
  return toasts.map((toast) => {
    const error = toast.data?.tone === "error";
    return (
      <Toast.Root
        key={toast.id}
        toast={toast}
        className="stagger absolute right-0 bottom-0 w-full rounded-md border border-line bg-surface p-4 shadow-lift data-[ending-style]:hidden data-[limited]:hidden"
      >
        <Toast.Content className="flex items-start gap-3">
          <Icon
            drawing={error ? CircleAlert : CircleCheck}
            className={`mt-0.5 size-5 shrink-0 ${error ? "text-danger" : "text-evergreen"}`}
          />
          <div className="min-w-0 flex-1">
            <Toast.Title className="font-sans text-base leading-snug font-semibold" />
            <Toast.Description className="mt-0.5 text-sm text-muted" />
            <Toast.Action className={`${buttonClass("secondary", "small")} mt-3`} />
          </div>
          <Toast.Close
            aria-label="Close"
            className="-m-1 flex size-8 shrink-0 items-center justify-center rounded-sm text-muted hover:bg-sand"
          >
            <Icon drawing={X} className="size-4" />
          </Toast.Close>
        </Toast.Content>
      </Toast.Root>
    );
  });
}
