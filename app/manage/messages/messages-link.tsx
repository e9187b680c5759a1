import { Link } from "react-router";
import { useUnreadCount } from "./unread-count.ts";

/** Links to the inbox, with the number of unread messages. Loaded only for a signed-in user. */
export default function MessagesLink({ className }: { className: string }) {
  const unread = useUnreadCount();
  return (
    <Link to="/messages" className={className}>
      Messages
      {unread !== null && unread > 0 && (
        <span className="ml-2 inline-block min-w-6 rounded-full bg-mist px-1.5 text-center font-semibold text-deep tabular-nums">
          {unread > 99 ? "99+" : unread}
          <span className="sr-only"> unread</span>
        </span>
      )}
    </Link>
  );
}
