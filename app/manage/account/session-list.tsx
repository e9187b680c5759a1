import { useRef, useState } from "react";
import { useRevalidator } from "react-router";
import { useSite } from "../../config/use-site.ts";
import { messageOf } from "../../forms/use-form-submit.ts";
import { getBrowserClient } from "../../supabase/browser-client.ts";
import type { Client } from "../../supabase/client-context.ts";
import { buttonClass } from "../../ui/button.ts";
import { showToast } from "../../ui/toast.ts";
import { type DeviceSession, endOtherSessions, endSession } from "./account.ts";
import { deviceName } from "./device-name.ts";

export function SessionList({ sessions }: { sessions: DeviceSession[] }) {
  const { timeZone } = useSite().contact;
  const { revalidate } = useRevalidator();
  /** The session that is being ended, or `others`. */
  const [ending, setEnding] = useState<string | null>(null);
  const list = useRef<HTMLUListElement>(null);
  const others = sessions.filter(({ is_current }) => !is_current);

  async function end(what: string, call: (client: Client) => Promise<void>) {
    setEnding(what);
    try {
      await call(await getBrowserClient());
      showToast({ tone: "success", title: what === "others" ? "Sessions Ended" : "Session Ended" });
      // The focused button is removed with its session.
      list.current?.focus();
      await revalidate();
    } catch (error) {
      console.error("Ending a session failed", error);
      showToast({
        tone: "error",
        title: "Ending failed",
        description: messageOf(error) || "Please try again.",
      });
    } finally {
      setEnding(null);
    }
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
                Last used{" "}
                <time dateTime={last_used_at}>
                  {new Date(last_used_at).toLocaleString("en-US", {
                    dateStyle: "medium",
                    timeStyle: "short",
                    timeZone,
                  })}
                </time>
              </p>
            </div>
            {is_current ? (
              <span className="rounded-full bg-sage px-3 py-1 text-sm font-medium text-evergreen">
                This device
              </span>
            ) : (
              <button
                type="button"
                className={buttonClass("quietDanger", "small")}
                disabled={ending !== null}
                onClick={() => end(id, (client) => endSession(client, id))}
              >
                {ending === id ? "Ending..." : "End session"}
                <span className="sr-only"> of {deviceName(user_agent)}</span>
              </button>
            )}
          </li>
        ))}
      </ul>
      {others.length > 1 && (
        <button
          type="button"
          className={`${buttonClass("quietDanger")} mt-4`}
          disabled={ending !== null}
          onClick={() => end("others", endOtherSessions)}
        >
          {ending === "others" ? "Ending..." : "End all other sessions"}
        </button>
      )}
    </>
  );
}
