import type { ComponentProps } from "react";
import { buttonClass } from "../ui/button-class.ts";
import { showToast } from "../ui/toast.ts";

interface ButtonProps extends ComponentProps<"button"> {
  look?: Parameters<typeof buttonClass>[0];
  size?: Parameters<typeof buttonClass>[1];
  /** Text that only screen readers read after the label, such as the name of the row that the button changes. */
  of?: string | undefined;
}

export function Button(props: ButtonProps) {
  const { look = "secondary", size = "small", of, className = "", children, ...button } = props;
  return (
    <button type="button" {...button} className={`${buttonClass(look, size)} ${className}`}>
      {children}
      {of && <span className="sr-only"> {of}</span>}
    </button>
  );
}

/** Copies a link. */
export function CopyButton({ text, ...props }: Omit<ButtonProps, "children"> & { text: string }) {
  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      showToast({ tone: "success", title: "Link Copied" });
    } catch {
      // Browsers offer the clipboard only with https.
      showToast({
        tone: "error",
        title: "Copying failed",
        description: "Select the link instead.",
      });
    }
  }
  return (
    <Button {...props} onClick={copy}>
      Copy link
    </Button>
  );
}
