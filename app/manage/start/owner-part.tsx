import { Link } from "react-router";
import type { OwnerPartProps } from "../../auth/owner-part.ts";
import MessagesLink, { useUnreadCount } from "../messages/messages-link.tsx";

/** The parts of visitors' pages for a signed-in user. They are one module, so that visitors' code has one reference to it. */
export default function OwnerPart({ part, ...props }: OwnerPartProps) {
  if (part === "manage link") return <ManageLink {...props} />;
  return <MessagesLink className={props.className ?? ""} />;
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
