import { useRef, useState } from "react";
import { useSite } from "../../config/use-site.ts";
import type { Client } from "../../supabase/client-context.ts";
import { Button } from "../button.tsx";
import { formatMoment } from "../format-moment.ts";
import { useReload } from "../live-query.ts";
import { Badge } from "../page-parts.tsx";
import { useAction } from "../use-action.ts";
import type { DeviceSession } from "./account.ts";
import { deviceName } from "./device-name.ts";

export function SessionList({ sessions }: { sessions: DeviceSession[] }) {
  const { timeZone } = useSite().contact;
  const reload = useReload();
  /** The id of the session that is being ended, or `others`. */
  const [ending, setEnding] = useState<string | null>(null);
  const { run } = useAction();
  const list = useRef<HTMLUListElement>(null);
  const others = sessions.filter(({ is_current }) => !is_current);

  async function end(what: string, call: (client: Client) => Promise<unknown>) {
    setEnding(what);
    await run(
      async (client) => {
        await call(client);
        // Moves the focus, because the focused button is removed with its session.
        list.current?.focus();
        await reload();
      },
      { title: what === "others" ? "Sessions Ended" : "Session Ended" },
      { title: "Ending failed" },
    );
    setEnding(null);
  }

  return (
    <>
      <ul
        ref={list}
        tabIndex={-1}
        aria-label="Your sessions"
        className="mt-5 divide-y divide-line rounded-md border border-line"
      >
        {sessions.map(({ id, user_agent, last_used_at, is_current }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-3 px-4 py-3">
            <div>
              <p className="font-semibold">{deviceName(user_agent)}</p>
              <p className="text-sm text-muted">
                {is_current ? (
                  "In use now"
                ) : (
                  <>
                    <span>Last used </span>
                    <time dateTime={last_used_at}>{formatMoment(last_used_at, timeZone)}</time>
                  </>
                )}
              </p>
            </div>
            {is_current ? (
              <Badge look="good">This device</Badge>
            ) : (
              <Button
                look="quietDanger"
                of={`of ${deviceName(user_agent)}`}
                disabled={ending !== null}
                onClick={() =>
                  end(id, async (client) => client.rpc("end_my_session", { id }).throwOnError())
                }
              >
                {ending === id ? "Ending..." : "End session"}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {others.length > 1 && (
        <Button
          look="quietDanger"
          className="mt-4"
          disabled={ending !== null}
          onClick={() =>
            end("others", async (client) => {
              const { error } = await client.auth.signOut({ scope: "others" });
              if (error) throw error;
            })
          }
        >
          {ending === "others" ? "Ending..." : "End all other sessions"}
        </Button>
      )}
    </>
  );
}
