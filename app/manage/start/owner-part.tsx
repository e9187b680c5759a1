import { Link } from "react-router";
import { may } from "../../../supabase/functions/_shared/roles.ts";
import { useAuth } from "../../auth/auth-provider.tsx";
import type { OwnerPartProps } from "../../auth/owner-part-props.ts";
import "../manage.css";
import { SetupLine } from "./setup-line.tsx";
import { useWaiting } from "./waiting.ts";

/** The parts of visitors' pages for a signed-in user. They are one module, so that one request loads all. */
export default function OwnerPart({ part, ...props }: OwnerPartProps) {
  switch (part) {
    case "manage link":
      return <ManageLink {...props} />;
    case "messages link":
      return <MessagesLink {...props} />;
    case "waiting count":
      return <WaitingCount {...props} />;
    case "setup line":
      return <SetupLine />;
  }
}

type LinkProps = Omit<OwnerPartProps, "part">;

function ManageLink({ className, onClick }: LinkProps) {
  return (
    <Link to="/manage" className={className} onClick={onClick}>
      {/* The count takes no space, so that the other tabs do not move. */}
      <span className="relative">
        Manage
        <WaitingCount className="absolute top-1/2 left-full ml-1.5 -translate-y-1/2" />
      </span>
    </Link>
  );
}

function WaitingCount({ className }: LinkProps) {
  const count = Object.values(useWaiting()).reduce((sum, each) => sum + each, 0);
  if (count === 0) return null;
  return (
    <span className={className}>
      <span
        aria-hidden="true"
        className="block min-w-5 rounded-full bg-clay px-1 text-center text-[0.75rem] leading-5 font-semibold text-paper tabular-nums"
      >
        {shortCount(count)}
      </span>
      <span className="sr-only">
        {` (${count === 1 ? "1 item needs" : `${count.toLocaleString("en-US")} items need`} your attention)`}
      </span>
    </span>
  );
}

function MessagesLink({ className }: LinkProps) {
  const { role } = useAuth();
  const { unread = 0 } = useWaiting();
  if (!may(role, "handle messages")) return null;
  return (
    <Link to="/messages" className={className}>
      Messages
      {unread > 0 && (
        <span className="ml-2 inline-block min-w-6 rounded-full bg-mist px-1.5 text-center font-semibold text-deep tabular-nums">
          <span>{shortCount(unread)}</span>
          <span className="sr-only"> unread</span>
        </span>
      )}
    </Link>
  );
}

function shortCount(count: number): string {
  return count > 99 ? "99+" : String(count);
}
