import type { ComponentProps } from "react";
import { Link } from "react-router";
import { copyText } from "../browser/site-data.ts";
import { buttonClass } from "../ui/button-class.ts";
import { showToast } from "../ui/toast.ts";

interface Look {
  look?: Parameters<typeof buttonClass>[0];
  size?: Parameters<typeof buttonClass>[1];
  /** Text that only screen readers read after the label, such as the name of the row that the button changes. */
  of?: string | undefined;
}

type ButtonProps = ComponentProps<"button"> & Look;

export function Button(props: ButtonProps) {
  const { look = "secondary", size = "small", of, className = "", children, ...button } = props;
  return (
    <button type="button" {...button} className={`${buttonClass(look, size)} ${className}`}>
      <span className="contents">{children}</span>
      {of && <span className="sr-only">{` ${of}`}</span>}
    </button>
  );
}

export function ButtonLink(props: ComponentProps<typeof Link> & Look) {
  const { look = "secondary", size = "small", of, className = "", children, ...link } = props;
  return (
    <Link {...link} className={`${buttonClass(look, size)} ${className}`}>
      <span className="contents">{children}</span>
      {of && <span className="sr-only">{` ${of}`}</span>}
    </Link>
  );
}

export function TextLink(props: ComponentProps<typeof Link>) {
  return <Link {...props} className="font-medium underline underline-offset-4" />;
}

interface CopyButtonProps extends ButtonProps {
  text: string;
  copied?: string;
  /** What to do with the copy. */
  next?: string;
  /** What to do in a browser that does not allow it. */
  advice?: string;
}

export function CopyButton(props: CopyButtonProps) {
  const { text, copied = "Link Copied", children = "Copy link", ...others } = props;
  const { next = "Paste it into a message.", ...rest } = others;
  const { advice = "Select the link instead.", ...button } = rest;

  async function copy() {
    if (await copyText(text)) {
      showToast({ tone: "success", title: copied, description: next });
    } else {
      showToast({ tone: "error", title: "Copying failed", description: advice });
    }
  }

  return (
    <Button {...button} onClick={copy}>
      {children}
    </Button>
  );
}
