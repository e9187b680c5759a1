import { useState } from "react";
import { Link } from "react-router";
import { useAuth } from "../../auth/auth-provider.tsx";
import type { OwnerPartProps } from "../../auth/owner-part.ts";
import { buttonClass } from "../../ui/button.ts";
import MessagesLink, { useUnreadCount } from "../messages/messages-link.tsx";

/** The parts of visitors' pages for a signed-in user. They are one module, so that visitors' code has one reference to it. */
export default function OwnerPart({ part, ...props }: OwnerPartProps) {
  if (part === "manage link") return <ManageLink {...props} />;
  if (part === "messages link") return <MessagesLink className={props.className ?? ""} />;
  return <SetupNotice />;
}

/** Marked when there are unread messages, which the footer counts in any case. */
function ManageLink({ className, current, onClick }: Omit<OwnerPartProps, "part">) {
  const unread = useUnreadCount();
  return (
    <Link
      to="/manage"
      className={className}
      aria-current={current ? "page" : undefined}
      onClick={onClick}
    >
      Manage
      {unread !== null && unread > 0 && (
        <>
          <span
            aria-hidden="true"
            className="ml-1 inline-block size-2 -translate-y-1.5 rounded-full bg-clay"
          />
          <span className="sr-only"> (something needs your attention)</span>
        </>
      )}
    </Link>
  );
}

const closedKey = "setup-notice-closed";

/** Invites an owner to the setup after the first sign-in, until it is opened or the notice closed. */
function SetupNotice() {
  const { role } = useAuth();
  const [closed, setClosed] = useState(isClosed);
  if (role !== "owner" || closed) return null;

  function close() {
    rememberClosed();
    setClosed(true);
  }

  return (
    <aside data-screen aria-label="Setup" className="border-b border-line bg-sage">
      <div className="wrap flex flex-wrap items-center justify-between gap-x-6 gap-y-3 py-4">
        <p className="min-w-0">
          This site still shows a fictional firm. Make it yours in about ten minutes.
        </p>
        <div className="flex flex-wrap gap-3">
          <Link
            to="/manage/setup"
            onClick={rememberClosed}
            className={buttonClass("primary", "small")}
          >
            Set up your site
          </Link>
          <button type="button" onClick={close} className={buttonClass("secondary", "small")}>
            Not now
          </button>
        </div>
      </div>
    </aside>
  );
}

/** Without storage, the notice is shown again. */
function isClosed(): boolean {
  try {
    return localStorage.getItem(closedKey) !== null;
  } catch {
    return false;
  }
}

function rememberClosed(): void {
  try {
    localStorage.setItem(closedKey, "yes");
  } catch {}
}
